// The types of the databases' own packages fit. The compiler of TypeScript checks it beside
// these packages: see types.test.mjs.
import type { ContainerDefinition, ItemDefinition, Resource } from "@azure/cosmos";
import type { Document, IndexDescription, IndexDescriptionInfo, WithId } from "mongodb";
import { type Policy, type Stored, type TTL } from "../index.js";

declare const ttl: TTL;
declare const settings: ContainerDefinition;
declare const read: ContainerDefinition & Resource; // of container.read()
declare const item: ItemDefinition & Resource;
declare const indexes: IndexDescriptionInfo[]; // of collection.indexes()
declare const wanted: IndexDescription[];
declare const stored: WithId<Document>;

const policies: Policy[] = [
  ttl.compileListed({ target: { system: "cosmos-nosql" }, in: { container: settings } }),
  ttl.compileListed({ target: { system: "cosmos-nosql" }, in: { container: read } }),
  ttl.compileListed({ target: { system: "mongodb" }, in: { indexes } }),
];
const container = ttl.container(read);
const collection = ttl.collection({ version: "8.0.4" });
collection.createIndexes(wanted);
export const seconds: number = container.write(item)._ts;
export const all: (Policy | Stored)[] = [...policies, container, collection];
export const states: string[] = [policies[0].decide(item, 0).state, collection.decide(stored, 0).state];
container.replace(settings);
