//! Decides about BSON and items with the WebAssembly module, by wasmtime.
//!
//!     cargo run --release -- ../../npm/ttlpolicy.wasm

use anyhow::{bail, Context, Result};
use wasmtime::{Engine, Instance, Linker, Memory, Module, Store, WasmParams};
use wasmtime_wasi::preview1::{add_to_linker_sync, WasiP1Ctx};
use wasmtime_wasi::WasiCtxBuilder;

const BSON: u32 = 1;
const JSON: u32 = 3;

/// The deadline is in milliseconds since 1970.
#[derive(Debug)]
enum Outcome {
    Never,
    Pending(i64),
    Expired(i64),
}

/// One instance of the module. It is for one thread.
struct Ttl {
    store: Store<WasiP1Ctx>,
    instance: Instance,
    memory: Memory,
}

impl Ttl {
    fn new(file: &str) -> Result<Ttl> {
        let engine = Engine::default();
        let module = Module::from_file(&engine, file)?;
        let mut linker: Linker<WasiP1Ctx> = Linker::new(&engine);
        add_to_linker_sync(&mut linker, |ctx| ctx)?;
        let mut store = Store::new(&engine, WasiCtxBuilder::new().build_p1());
        let instance = linker.instantiate(&mut store, &module)?;
        instance
            .get_typed_func::<(), ()>(&mut store, "_initialize")?
            .call(&mut store, ())?;
        let memory = instance
            .get_memory(&mut store, "memory")
            .context("no memory")?;
        let mut ttl = Ttl {
            store,
            instance,
            memory,
        };
        match ttl.call("ttl_abi", ())? {
            1 => Ok(ttl),
            n => bail!("version {n} of the module's interface"),
        }
    }

    /// Calls a function that returns a code.
    fn call<P: WasmParams>(&mut self, name: &str, arguments: P) -> Result<i32> {
        let code = self.raw(name, arguments)?;
        if code < 0 {
            let length = self.raw("ttl_error", ())?;
            bail!(self.text(length)?);
        }
        Ok(code)
    }

    fn raw<P: WasmParams>(&mut self, name: &str, arguments: P) -> Result<i32> {
        let function = self
            .instance
            .get_typed_func::<P, i32>(&mut self.store, name)?;
        function.call(&mut self.store, arguments)
    }

    fn text(&mut self, length: i32) -> Result<String> {
        let address = self.raw("ttl_text", ())? as u32 as usize;
        let bytes = &self.memory.data(&self.store)[address..address + length as usize];
        Ok(String::from_utf8(bytes.to_vec())?)
    }

    fn put(&mut self, content: &[u8]) -> Result<u32> {
        let address = self.raw("ttl_alloc", content.len() as u32 + 1)? as u32;
        if address == 0 {
            bail!("the module has no memory left");
        }
        self.memory
            .write(&mut self.store, address as usize, content)?;
        Ok(address)
    }

    fn compile(&mut self, policy: &str) -> Result<i32> {
        let address = self.put(policy.as_bytes())?;
        let compiled = self.call("ttl_compile", (address, policy.len() as u32));
        self.call("ttl_free", address)?;
        compiled
    }

    fn release(&mut self, policy: i32) -> Result<()> {
        self.call("ttl_release", policy).map(drop)
    }

    /// Decides about documents one after another: BSON, or a document a line.
    fn decide_all(
        &mut self,
        policy: i32,
        format: u32,
        documents: &[u8],
        now: i64,
    ) -> Result<Vec<(Outcome, String)>> {
        let room = documents.len() as u32 / 5 + 1;
        let (source, out) = (
            self.put(documents)?,
            self.put(&vec![0; 16 * room as usize])?,
        );
        let count = self.call(
            "ttl_decide_all",
            (
                policy,
                format,
                source,
                documents.len() as u32,
                now,
                out,
                room,
            ),
        )?;
        let at = out as usize;
        let written = self.memory.data(&self.store)[at..at + 16 * count as usize].to_vec();
        self.call("ttl_free", source)?;
        self.call("ttl_free", out)?;
        written.chunks_exact(16).map(|d| self.decision(d)).collect()
    }

    fn decision(&mut self, d: &[u8]) -> Result<(Outcome, String)> {
        let deadline = i64::from_le_bytes(d[..8].try_into()?);
        let length = self.call("ttl_rule", u16::from_le_bytes([d[8], d[9]]) as u32)?;
        let outcome = match d[11] {
            0 => Outcome::Never,
            1 => Outcome::Pending(deadline),
            _ => Outcome::Expired(deadline),
        };
        Ok((outcome, self.text(length)?))
    }
}

fn main() -> Result<()> {
    let file = std::env::args().nth(1).context("want the module's file")?;
    let mut ttl = Ttl::new(&file)?;
    let policy = ttl.compile(
        r#"{"target": {"system": "mongodb", "version": "8.0.4"},
            "in": {"indexes": [{"key": {"t": 1}, "name": "t_1", "expireAfterSeconds": 10}]}}"#,
    )?;
    let documents = b"\x10\0\0\0\x09t\0\xe8\x03\0\0\0\0\0\0\0\x05\0\0\0\0"; // {t: a second after 1970}, {}
    for decision in ttl.decide_all(policy, BSON, documents, 11000)? {
        println!("{decision:?}");
    }
    ttl.release(policy)?;

    let container = ttl.compile(
        r#"{"target": {"system": "cosmos-nosql"}, "in": {"container": {"defaultTtl": 60}}}"#,
    )?;
    for decision in ttl.decide_all(
        container,
        JSON,
        b"{\"_ts\":1}\n{\"_ts\":1,\"ttl\":-1}\n",
        61000,
    )? {
        println!("{decision:?}");
    }
    if let Err(refusal) = ttl.release(policy) {
        println!("{refusal}");
    }
    Ok(())
}
