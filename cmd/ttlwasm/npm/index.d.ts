/** The target and the input of a question, as the adapter protocol has them: docs/adapter.md. */
export interface PolicyDescription {
  target: Target;
  in: MongoDBPolicy | ContainerPolicy;
}

export interface Target {
  system: "mongodb" | "cosmos-nosql" | "cosmos-mongo";
  /** A release such as "8.0.4"; the newest if it is left out. */
  version?: string;
  capabilities?: string[];
  /** Server parameters that are set. */
  parameters?: Record<string, boolean | number | string>;
}

/** Values are Extended JSON. */
export interface MongoDBPolicy {
  /** As listIndexes shows them. */
  indexes: object[];
  /** Options as listCollections shows them, and `ns`. */
  collection?: object;
}

export interface ContainerPolicy {
  container: object;
}

export type State = "never" | "pending" | "expired";
export type Now = Date | number | bigint;

export interface Decision {
  state: State;
  /** The first millisecond since 1970 at which the document is expired; null for never. */
  deadline: bigint | null;
  /** The identifier of the rule that decided, such as "mongo.date". */
  rule: string;
  /** The name of the index that gave the deadline, or "collection"; "" if there is none to name. */
  source: string;
}

/** Decisions about documents that follow each other, in their order. */
export interface Decisions extends Iterable<Decision> {
  readonly length: number;
  state(i: number): State;
  isExpired(i: number): boolean;
  deadline(i: number): bigint | null;
  rule(i: number): string;
  source(i: number): string;
  /** Where document i begins in the bytes, of JSON with the blanks before it. */
  start(i: number): number;
  /** Where document i ends, of JSON with its line end. */
  end(i: number): number;
  at(i: number): Decision;
  /** 16 bytes each: docs/wasm.md has their layout. */
  readonly bytes: Uint8Array;
}

/**
 * Bytes are BSON, or the JSON of an item of a container. A text is Extended JSON, or
 * the JSON of an item. Any other object is written as Extended JSON by `toExtendedJSON`,
 * or as an item by `JSON.stringify`.
 */
export type Document = Uint8Array | string | object;

export interface Policy {
  decide(document: Document, now: Now): Decision;
  /** For the API for MongoDB: the document was last written at `ts`, in seconds since 1970. */
  decideAt(document: Document, ts: number | bigint, now: Now): Decision;
  /** Bytes are BSON documents one after another; a text, or the bytes of items, has one document a line. */
  decideAll(documents: Uint8Array | string, now: Now): Decisions;
  /** As `decideAll`, for bytes that come in pieces cut anywhere. Offsets are those within `bytes`, which begin at `offset` of the stream. */
  decideStream(pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>, now: Now | (() => Now)): AsyncGenerator<{ bytes: Uint8Array; decisions: Decisions; offset: number }>;
  /** Why: the JSON of `ttl explain --format json`. */
  explain(document: Document, now: Now): Explanation;
  /** The name of a source by its number. */
  source(number: number): string;
  /** Releases what the module holds of the policy. It cannot be used afterwards. */
  free(): void;
}

export interface Explanation {
  state: State;
  deadline: Instant | null;
  rule: string;
  now: Instant;
  system: string;
  release?: string;
  policy: string;
  notes: string[];
  source?: string;
  sources: { name: string; about: string; state: State; deadline: Instant | null; rule: string }[];
  dates: Instant[];
  ladder: { id: string; statement: string; versions?: string; confidence: string; sources: { title: string; address: string }[]; applies: boolean }[];
}

export interface Instant {
  time: string;
  ms: number;
}

/** A question of the adapter protocol, such as whether a server accepts an index. */
export interface Question {
  op: string;
  target?: Target;
  in: object;
}

export type Answer =
  | { out: Record<string, unknown> }
  | { error: { class: "refused"; code?: number; codeName?: string; status?: number; message: string } }
  | { skip: string }
  | { fault: string };

export interface TTL {
  readonly info: { abi: number; name: string; mongodb: { rules: number; latest: string }; cosmos: { rules: number } };
  compile(policy: PolicyDescription | string): Policy;
  /** A text is answered by a text, in which no number has lost a digit. */
  ask(question: Question): Answer;
  ask(question: string): string;
}

export type ErrorCode = "BAD_HANDLE" | "BAD_POINTER" | "BAD_FORMAT" | "BAD_TEXT" | "BAD_DOCUMENT" | "BAD_NUMBER" | "TOO_MUCH" | "BROKEN" | "ABI";

export class TTLError extends Error {
  code: ErrorCode;
}

/** Makes an instance, for one thread. Workers can share a compiled module, which `postMessage` sends. */
export function load(module?: WebAssembly.Module): Promise<TTL>;
export function compileModule(): Promise<WebAssembly.Module>;
export function instantiate(source: WebAssembly.Module | BufferSource): Promise<TTL>;
export function toExtendedJSON(value: unknown): string;
