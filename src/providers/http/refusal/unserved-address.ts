import { told, type Told } from '../../../domain/text/told.ts';
import { hostOf } from '../address.ts';

/** The way to Claude and other models at Amazon that needs no signature. */
const BEDROCK = told`with a Bedrock API key (AWS_BEARER_TOKEN_BEDROCK) at https://bedrock-mantle.{region}.api.aws/anthropic (Claude) or /openai/v1 (others)`;

/** Sentences about signatures and what signs: no wire of Belay makes them. */
export const UNSIGNED = told`requests signed for AWS (SigV4) are not made; what works is Amazon Bedrock ${BEDROCK}`;

/** Why no wire can speak with an address, as the end of a sentence; `undefined`: one may. */
export const unservedAddress = (address: string): Told | undefined =>
  /^bedrock(?:-runtime)?(?:-fips)?\..+\.amazonaws\.com/.test(hostOf(address))
    ? UNSIGNED
    : undefined;

/** True for what signs requests and is no key: an access key of AWS, the name of one, a profile. */
export const isForSigning = (given: string): boolean =>
  /^(?:AKIA|ASIA)[A-Z0-9]{12,}$/.test(given) ||
  /^AWS_(?:ACCESS_KEY_ID|SECRET_ACCESS_KEY|SESSION_TOKEN|PROFILE)$/.test(given);
