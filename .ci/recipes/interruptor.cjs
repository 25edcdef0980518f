// Stands in for the native addon by which MongoDB's shell interrupts a command: node --require it.
const Module = require("node:module");
const load = Module._load;
Module._load = (name, ...rest) => (name === "interruptor" ? { interrupt() {}, runInterruptible: (command) => command() } : load(name, ...rest));
