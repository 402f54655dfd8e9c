import type { Json } from '../../src/domain/data/json.ts';

/** One case of attacks.json, with its placeholders filled in. */
export interface AttackCase {
  readonly id: string;
  readonly surface: string;
  readonly vector: string;
  readonly input: Readonly<Record<string, Json>>;
  readonly expected: Decision;
  readonly benign?: boolean;
}

type Decision = 'refuse' | 'ask' | 'allow' | 'inert';

/** The places of one case: real folders, a file that must not appear, a listener that must hear nothing. */
export interface Fixture {
  readonly ws: string;
  readonly outside: string;
  readonly home: string;
  readonly storage: string;
  readonly canary: string;
  readonly evilPort: number;
  readonly okPort: number;
  readonly port: number;
  readonly ext: string;
  readonly policy: Readonly<Record<string, Json>>;
  /** What the listener heard; a promise when the guards run in a process of their own. */
  requests(): readonly string[] | Promise<readonly string[]>;
}

export interface Answer {
  readonly decision: Decision;
  /** Why, for whoever reads the run. */
  readonly note?: string;
  /** The file of the guard that answered, when nothing of the product calls it yet. */
  readonly unused?: string;
}

/** Gives the case to the real guard; may carry it out. `undefined`: it is not about this surface. */
export type Surface = (attack: AttackCase, fixture: Fixture) => Promise<Answer | undefined>;

/** Surfaces by name. */
export type Surfaces = Readonly<Record<string, Surface>>;
