/**
 * A policy as somebody wrote it: the target and the input of a question, as the adapter
 * protocol has them (docs/adapter.md). A name that no policy has is an error.
 */
export interface PolicyDescription {
  target: Target;
  in: MongoDBPolicy | ContainerPolicy;
}

/** A policy as a server or a dump shows it: what plays no part is ignored. */
export interface ListedPolicy {
  target: Target;
  in: { indexes: readonly object[]; collection?: object } | { container: object };
}

/**
 * A value as drivers store it. A whole number that fits 32 bits is an int32, any other a
 * double. `undefined`, functions and instances of other classes are refused with their path.
 */
export type Value = string | number | bigint | boolean | null | Date | RegExp | readonly Value[] | Fields;

/** A plain object is the document that it is: one with a member `$date` is no date. */
export interface Fields {
  readonly [name: string]: Value;
}

export interface Target {
  system: "mongodb" | "cosmos-nosql" | "cosmos-mongo";
  /** A release such as "8.0.4"; the newest if it is left out. */
  version?: string;
  capabilities?: string[];
  /** Server parameters that are set. */
  parameters?: Record<string, boolean | number | string>;
}

export interface MongoDBPolicy {
  indexes: readonly IndexDefinition[];
  collection?: CollectionOptions;
}

/** In the form of listIndexes. */
export interface IndexDefinition {
  key: Readonly<Record<string, number | bigint | string>>;
  name?: string;
  expireAfterSeconds?: Value;
  partialFilterExpression?: Fields;
  collation?: Fields;
  sparse?: boolean | number;
  unique?: boolean | number;
  hidden?: boolean;
  prepareUnique?: boolean;
  clustered?: boolean;
  v?: number;
  ns?: string;
  background?: boolean;
  dropDups?: boolean;
  storageEngine?: Fields;
  wildcardProjection?: Fields;
  weights?: Fields;
  default_language?: string;
  language_override?: string;
  textIndexVersion?: number;
  "2dsphereIndexVersion"?: number;
  bits?: number;
  min?: number;
  max?: number;
  bucketSize?: number;
}

/** In the form of listCollections, and `ns`, such as "shop.logs". */
export interface CollectionOptions {
  ns?: string;
  expireAfterSeconds?: Value;
  timeseries?: { timeField: string; metaField?: string; granularity?: string; bucketMaxSpanSeconds?: number | bigint; bucketRoundingSeconds?: number | bigint };
  clusteredIndex?: true | { key: { _id: 1 }; unique: true; v?: number; name?: string };
  capped?: boolean | number;
  size?: number | bigint;
  max?: number | bigint;
  viewOn?: string;
  requiresExtendedRangeSupport?: boolean;
  pipeline?: readonly Value[];
  collation?: Fields;
  validator?: Fields;
  validationLevel?: string;
  validationAction?: string;
  storageEngine?: Fields;
  indexOptionDefaults?: Fields;
  changeStreamPreAndPostImages?: Fields;
}

export interface ContainerPolicy {
  container: ContainerSettings;
}

/** In the form of the REST API. */
export interface ContainerSettings {
  id?: string;
  defaultTtl?: number | null;
  ttlPropertyPath?: string;
  analyticalStorageTtl?: number | null;
  indexingPolicy?: { indexingMode?: string; automatic?: boolean; [paths: `${string}Paths` | `${string}Indexes`]: readonly object[] };
  partitionKey?: object;
  uniqueKeyPolicy?: object;
  conflictResolutionPolicy?: object;
  geospatialConfig?: object;
  computedProperties?: readonly object[];
  vectorEmbeddingPolicy?: object;
  fullTextPolicy?: object;
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
  /** Where document i begins in the bytes, of JSON with the blanks before it; of an array its place. */
  start(i: number): number;
  /** Where document i ends, of JSON with its line end; of an array the next place. */
  end(i: number): number;
  at(i: number): Decision;
  /** Why document i could not be read, or null. Its state is never, and its rule "". */
  error(i: number): Error | null;
  /** The documents that could not be read. */
  readonly errors: number[];
  /** 16 bytes each: docs/wasm.md has their layout. */
  readonly bytes: Uint8Array;
}

/**
 * Bytes are BSON, or the JSON of an item of a container. A text is Extended JSON, or
 * the JSON of an item. A plain object is the document or the item that it is; its values
 * are those of `Value`, in an item those of JSON. Give an object that is Extended JSON
 * as `extendedJSON(object)`.
 */
export type Document = Uint8Array | string | object;

export interface Policy {
  /** The instance that compiled it. */
  readonly ttl: TTL;
  /** The names of the fields that deciding looks at. Of objects no others are looked at. */
  readonly reads: readonly string[];
  decide(document: Document, now: Now): Decision;
  /** Whether the state is expired. For an index on one field a Date is compared in JavaScript. */
  isExpired(document: Document, now: Now): boolean;
  /** For the API for MongoDB: the document was last written at `ts`, in seconds since 1970. */
  decideAt(document: Document, ts: number | bigint, now: Now): Decision;
  /**
   * Bytes are BSON documents one after another; a text, or the bytes of items, has one document
   * a line. A document of an array, or a line, that cannot be read has an `error` and is kept; the
   * others are decided. Bytes of BSON whose lengths are wrong cannot be divided, and are an error.
   */
  decideAll(documents: Uint8Array | string | readonly Document[], now: Now): Decisions;
  /** As `decideAll`, for bytes that come in pieces cut anywhere. Offsets are those within `bytes`, which begin at `offset` of the stream. */
  decideStream(pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>, now: Now | (() => Now)): AsyncGenerator<{ bytes: Uint8Array; decisions: Decisions; offset: number }>;
  /**
   * Counts the documents that never expire, by rule, the most frequent first; `first` is the place
   * of one of them. Ask it after documents were loaded: a store that keeps Dates as text never
   * deletes again, by `mongo.field-not-date`.
   */
  neverExpire(documents: Uint8Array | string | readonly Document[], now: Now): { rule: string; count: number; first: number }[];
  /** Policies with the same fingerprint decide alike. */
  readonly fingerprint: string;
  /** The definition as the database stores it, in Extended JSON. */
  readonly definition: string;
  /** The policy after a command, and the reply: see `Collection` and `Container`, which use it. */
  change(command: string, argument: object | string, now: Now): [Policy, Record<string, unknown>];
  /** Why: the JSON of `ttl explain --format json`. */
  explain(document: Document, now: Now): Explanation;
  /** The name of a source by its number. */
  source(number: number): string;
  /** Releases what the module holds of the policy. It cannot be used afterwards. */
  free(): void;
}

/** A definition as the database stores it, and its policy, which change together. */
export interface Stored extends Pick<Policy, "ttl" | "reads" | "fingerprint" | "definition" | "decide" | "isExpired" | "decideAll" | "decideStream" | "neverExpire" | "explain" | "free"> {
  readonly target: Target;
}

/** The commands of a server. A `Refusal` leaves the collection as it is. */
export interface Collection extends Stored {
  /**
   * The options of `create`, without the name of the collection. A collection exists after `create`,
   * after `createIndexes`, and if it was made of a definition: then the server refuses `create` (48), or
   * since 7.0 takes the same options again.
   */
  create(options?: object, now?: Now): Record<string, unknown>;
  /** Names an index without a name as drivers do. */
  createIndexes(indexes: readonly object[], now?: Now): Record<string, unknown>;
  createIndex(key: object, options?: object, now?: Now): Record<string, unknown>;
  /** The body without the name of the collection, such as `{ index: { name, expireAfterSeconds } }`. */
  collMod(body: object, now?: Now): Record<string, unknown>;
  /** A name, a key, a list of names, or "*". */
  dropIndexes(index: string | object): Record<string, unknown>;
}

export interface Container extends Stored {
  readonly settings: { defaultTtl?: number | null; [setting: string]: unknown };
  /** Replaces the settings, as a PUT does, and returns the service's warnings. */
  replace(settings: object): { warnings: string[] };
  /** The item with the `_ts` of the second, as the service stores it. A `Refusal` is what the service answers. */
  write<T extends object>(item: T, now?: Now): T & { _ts: number };
}

/** The database's answer to a definition or an item that it does not take. */
export class Refusal extends Error {
  readonly class: "refused" | "unspecified";
  readonly code?: number;
  readonly codeName?: string;
  readonly status?: number;
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
  /** Paths of Dates elsewhere in a document that has none in the indexed field. At most five. */
  datesElsewhere: string[];
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
  /** A policy as somebody wrote it. A text is JSON, with values in Extended JSON. */
  compile(policy: PolicyDescription | string): Policy;
  /** A policy as a server or a dump shows it. */
  compileListed(policy: ListedPolicy | string): Policy;
  /** A collection of MongoDB, without indexes or with a `definition` that a collection had before. */
  collection(target?: Omit<Target, "system" | "capabilities">, definition?: string): Collection;
  /** A container of Azure Cosmos DB, of settings or of a `definition` that a container had before. */
  container(settings?: object | string): Container;
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
/** Makes an instance at once. In a browser it needs the result of `compileModule()`. */
export function loadSync(module?: WebAssembly.Module): TTL;
export function compileModule(): Promise<WebAssembly.Module>;
export function instantiate(source: WebAssembly.Module | BufferSource): Promise<TTL>;
/** Makes an instance at once. Browsers refuse to compile so many bytes at once in a page: give a compiled module there. */
export function instantiateSync(source: WebAssembly.Module | BufferSource): TTL;
/** The text of a value in Extended JSON. A TypeError names the path of what has no form there. */
export function toExtendedJSON(value: Value): string;
/**
 * A parsed answer with numbers and Dates in the place of `{$numberInt: "60"}` and the like. A 64-bit
 * integer that no number holds exactly becomes a bigint. Definitions take answers as they are.
 */
export function fromExtendedJSON(value: unknown): unknown;
/** The text of what is Extended JSON already, such as `EJSON.serialize` returns it: `{$date: …}` is a date. */
export function extendedJSON(value: object): string;
