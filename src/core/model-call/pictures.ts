import { inEnglish, type Told, told } from '../../domain/text/told.ts';
import { isAbortError } from '../../domain/lifetime/abort.ts';
import { failureOf, sentenceOf } from '../../domain/failure.ts';
import type { BinaryPart, Message, Part, ResultContent, TextPart } from '../../domain/message.ts';
import type { PictureScaler, PictureSize } from '../ports/files/picture-scaler.ts';
import { imageSize } from './image-size.ts';
import type { ModelRequest } from './model-call.ts';

/** The pictures that a model takes. */
export interface PictureLimits extends PictureSize {
  /** Pictures of one request. */
  readonly most: number;
  /** Characters of the base64 of all pictures of one request. */
  readonly total: number;
}

/** Pixels above which a picture is not scaled: it would take more than 1 GB of memory. */
const MOST_PIXELS = 150_000_000;
/** Pixels of the longer side that APIs take of a picture that cannot be scaled. */
const LARGEST_SIDE = 8000;
/** Above so many pictures the Messages API takes none with a side longer than `CROWDED_SIDE`. */
const CROWD = 20;
const CROWDED_SIDE = 2000;
/** Where there are too many pictures, this share of the limits is kept: not each new one changes the beginning of the request. */
const KEPT_SHARE = 0.75;
/** Base64 characters at a picture's end in which its end mark is looked for. */
const END = 400;

/** A request with the pictures as the model takes them. */
export interface FittedRequest {
  readonly request: ModelRequest;
  /** Sentences about pictures that are left out, each given once. */
  readonly warnings: readonly Told[];
}

/** A part of a request that stands for a picture. */
type Fitted = BinaryPart | LeftOut;

/** A picture that is not shown, and what the person is told of it. */
interface LeftOut extends TextPart {
  readonly why?: Told;
}

const isPicture = (part: Part): part is BinaryPart =>
  part.type === 'binary' && part.mediaType.startsWith('image/');

/**
 * Makes the pictures of requests as small and as few as the model takes; the record keeps them as they were. The same
 * pictures always become the same bytes.
 */
export class Pictures {
  readonly #scaler: PictureScaler | undefined;
  readonly #limitsOf: (model: string) => PictureLimits | undefined;
  readonly #learned = new Map<string, Partial<PictureSize>>();
  readonly #parts = new WeakMap<BinaryPart, { readonly by: string; readonly fitted: Fitted }>();
  readonly #messages = new WeakMap<Message, Message>();
  readonly #told = new WeakSet<BinaryPart>();

  /** @param limitsOf `undefined`: the model is shown no pictures, so nothing is done */
  constructor(
    scaler: PictureScaler | undefined,
    limitsOf: (model: string) => PictureLimits | undefined,
  ) {
    this.#scaler = scaler;
    this.#limitsOf = limitsOf;
  }

  /** Learns from a refusal that a model takes less; `false`: that was known. */
  learn(model: string, { side, length }: Partial<PictureSize>): boolean {
    const limits = this.#limits(model);
    const isLess =
      limits !== undefined &&
      ((side !== undefined && side < limits.side) ||
        (length !== undefined && length < limits.length));
    if (isLess)
      this.#learned.set(model, {
        side: Math.min(side ?? limits.side, limits.side),
        length: Math.min(length ?? limits.length, limits.length),
      });
    return isLess;
  }

  async fitted(request: ModelRequest, signal: AbortSignal): Promise<FittedRequest> {
    const pictures = request.messages.flatMap(picturesOf);
    const limits = pictures.length === 0 ? undefined : this.#limits(request.model);
    if (limits === undefined) return { request, warnings: [] };
    const warnings: Told[] = [];
    const become = new Map<BinaryPart, Fitted>();
    const first = firstKept(pictures, limits.most, Infinity, () => 0);
    const kept = pictures.slice(first);
    const size = kept.length > CROWD ? crowded(limits) : limits;
    for (const picture of kept) become.set(picture, await this.#fit(picture, size, signal));
    const lengthOf = (picture: BinaryPart): number => {
      const fitted = become.get(picture);
      return fitted?.type === 'binary' ? fitted.data.length : 0;
    };
    const from = first + firstKept(kept, Infinity, limits.total, lengthOf);
    for (const picture of pictures.slice(0, from)) become.set(picture, EARLIER);
    for (const [picture, fitted] of become) {
      if (!('why' in fitted) || fitted.why === undefined || this.#told.has(picture)) continue;
      this.#told.add(picture);
      warnings.push(told`The model was not shown a picture: ${fitted.why}`);
    }
    const messages = request.messages.map((message) => this.#message(message, become));
    return { request: { ...request, messages }, warnings };
  }

  #limits(model: string): PictureLimits | undefined {
    const limits = this.#limitsOf(model);
    return limits && { ...limits, ...this.#learned.get(model) };
  }

  async #fit(picture: BinaryPart, size: PictureSize, signal: AbortSignal): Promise<Fitted> {
    const by = `${size.side} ${size.length}`;
    const known = this.#parts.get(picture);
    if (known?.by === by) return known.fitted;
    const fitted = await fit(picture, size, this.#scaler, signal);
    this.#parts.set(picture, { by, fitted });
    return fitted;
  }

  /** The same object for the same parts: providers keep the wire form of what was sent before. */
  #message(message: Message, become: ReadonlyMap<BinaryPart, Fitted>): Message {
    if (picturesOf(message).every((picture) => become.get(picture) === picture)) return message;
    const inResult = (item: ResultContent): ResultContent =>
      (isPicture(item) ? become.get(item) : undefined) ?? item;
    const parts = message.parts.map((part): Part => {
      if (part.type === 'tool_result') return { ...part, content: part.content.map(inResult) };
      return (isPicture(part) ? become.get(part) : undefined) ?? part;
    });
    const before = this.#messages.get(message);
    if (before !== undefined && isSame(before.parts, parts)) return before;
    const fitted = { ...message, parts };
    this.#messages.set(message, fitted);
    return fitted;
  }
}

/** A message does not change; each is looked through once, not in every request after it. */
const known = new WeakMap<Message, readonly BinaryPart[]>();

function picturesOf(message: Message): readonly BinaryPart[] {
  let pictures = known.get(message);
  if (pictures === undefined) {
    pictures = message.parts.flatMap((part) =>
      part.type === 'tool_result' ? part.content.filter(isPicture) : isPicture(part) ? part : [],
    );
    known.set(message, pictures);
  }
  return pictures;
}

function isSame(left: readonly Part[], right: readonly Part[]): boolean {
  return left.every((part, index) => {
    const other = right[index];
    if (part.type !== 'tool_result' || other?.type !== 'tool_result') return part === other;
    return part.content.every((item, at) => item === other.content[at]);
  });
}

const crowded = (size: PictureSize): PictureSize => ({
  ...size,
  side: Math.min(size.side, CROWDED_SIDE),
});

/** Stands for pictures before those that are kept. */
const EARLIER: TextPart = {
  type: 'text',
  text: '[an earlier picture was here: there are more than the model takes at once. Look at it again if you need it]',
};

/** Where the pictures begin that are kept: once there are too many, room is made for some more. */
function firstKept(
  pictures: readonly BinaryPart[],
  most: number,
  total: number,
  lengthOf: (picture: BinaryPart) => number,
): number {
  const lengths = pictures.map(lengthOf);
  let first = 0;
  let sum = 0;
  for (const [index, length] of lengths.entries()) {
    sum += length;
    const isOver = (share: number): boolean =>
      first < index && (index - first + 1 > Math.max(1, most * share) || sum > total * share);
    if (!isOver(1)) continue;
    for (; isOver(KEPT_SHARE); first += 1) sum -= lengths[first] ?? 0;
  }
  return first;
}

async function fit(
  picture: BinaryPart,
  size: PictureSize,
  scaler: PictureScaler | undefined,
  signal: AbortSignal,
): Promise<Fitted> {
  const { data, name = 'picture' } = picture;
  const out = (because: Told): LeftOut => {
    const why = told`${name.toWellFormed()} was left out: ${because}`;
    return { type: 'text', text: `[${inEnglish(why)}]`, why };
  };
  const pixels = imageSize(data);
  if (pixels === undefined || pixels.width < 1 || pixels.height < 1)
    return out(told`it is damaged, or no picture.`);
  const side = Math.max(pixels.width, pixels.height);
  if (side <= size.side && data.length <= size.length && hasEnd(data)) return picture;
  const seen = told`${String(pixels.width)} × ${String(pixels.height)} pixels`;
  if (pixels.width * pixels.height > MOST_PIXELS)
    return out(told`${seen} are too many to be made smaller here. A smaller copy can be shown.`);
  // Nobody here can read these; APIs make them smaller themselves.
  const isLeft = data.startsWith('R0lGOD') || scaler === undefined;
  if (isLeft && side <= LARGEST_SIDE && data.length <= size.length) return picture;
  if (scaler === undefined || isLeft)
    return out(told`its ${seen} are more than the model takes. A copy as PNG can be shown.`);
  try {
    return { ...picture, ...(await scaler.scaled(data, size, signal)) };
  } catch (thrown) {
    if (isAbortError(thrown)) throw thrown;
    return out(told`${sentenceOf(failureOf(thrown))}. A copy as PNG or JPEG can be shown.`);
  }
}

/** Base64 of the kinds whose last bytes are always the same, and those bytes. */
const ENDS: readonly (readonly [begin: string, end: string])[] = [
  ['iVBORw0KGgo', 'IEND'],
  ['/9j/', '\u00ff\u00d9'],
];

/** False for a picture that breaks off. */
function hasEnd(data: string): boolean {
  const mark = ENDS.find(([begin]) => data.startsWith(begin))?.[1];
  const whole = data.length - (data.length % 4);
  return mark === undefined || atob(data.slice(Math.max(0, whole - END), whole)).includes(mark);
}
