// The few functions of WASI (snapshot preview 1) that a Go program calls if it
// opens no file: clocks, random numbers, and its output before it exits.

const success = 0, badDescriptor = 8, notSupported = 58;
const eventBytes = 32, subscriptionBytes = 48;

// Exit is thrown when the program ends. Its text is what the program wrote last.
export class Exit extends Error {}

// wasi returns the imports. It takes memory as a function, because the instance
// does not exist yet.
export function wasi(memory) {
  const view = () => new DataView(memory().buffer);
  let written = "";
  const decoder = new TextDecoder();

  const nothing = (count, bytes) => {
    view().setUint32(count, 0, true);
    view().setUint32(bytes, 0, true);
    return success;
  };
  return {
    args_sizes_get: nothing,
    environ_sizes_get: nothing,
    args_get: () => success,
    environ_get: () => success,
    sched_yield: () => success,
    fd_close: () => badDescriptor,
    fd_fdstat_get: () => badDescriptor,
    fd_fdstat_set_flags: () => notSupported,
    fd_prestat_get: () => badDescriptor,
    fd_prestat_dir_name: () => badDescriptor,

    clock_time_get(id, precision, result) {
      const now = id === 0 ? BigInt(Date.now()) * 1_000_000n : BigInt(Math.round(performance.now() * 1e6));
      view().setBigUint64(result, now, true);
      return success;
    },

    random_get(address, length) {
      for (let at = 0; at < length; at += 65536) {
        crypto.getRandomValues(new Uint8Array(memory().buffer, address + at, Math.min(65536, length - at)));
      }
      return success;
    },

    fd_write(descriptor, pieces, count, result) {
      let length = 0;
      for (let i = 0; i < count; i++) {
        const [address, n] = [view().getUint32(pieces + 8 * i, true), view().getUint32(pieces + 8 * i + 4, true)];
        written = (written + decoder.decode(new Uint8Array(memory().buffer, address, n))).slice(-4096);
        length += n;
      }
      view().setUint32(result, length, true);
      return success;
    },

    // Waiting ends at once: nothing that the module does takes time on purpose.
    poll_oneoff(subscriptions, events, count, result) {
      const v = view();
      for (let i = 0; i < count; i++) {
        const event = events + eventBytes * i;
        for (let at = 0; at < eventBytes; at += 8) v.setBigUint64(event + at, 0n, true);
        v.setBigUint64(event, v.getBigUint64(subscriptions + subscriptionBytes * i, true), true);
        v.setUint8(event + 10, v.getUint8(subscriptions + subscriptionBytes * i + 8));
      }
      v.setUint32(result, count, true);
      return success;
    },

    proc_exit(code) {
      throw new Exit(`the module ended with code ${code}: ${written}`);
    },
  };
}
