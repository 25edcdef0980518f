// An adapter that puts an implementation of TTL to the conformance suite:
//
//     rustc -O adapter.rs
//     ttl conform run -- ./adapter
//
// It reads a question a line and writes an answer a line, both JSON. Replace
// decide with a call of your library, and claim in HELLO what it does: what you
// claim is judged, what you do not claim is not asked. Whatever else you print
// belongs on standard error. The reader of JSON at the end needs no crate and
// keeps numbers as they are written; with serde_json, use its feature
// arbitrary_precision.

use std::io::{self, BufRead, Write};

const HELLO: &str = r#"{"protocol":1,"name":"my-library","version":"0.1.0","language":"rust","ops":["self.echo","mongodb.decide"],"systems":{"mongodb":">=8.0.0"},"profiles":[],"features":["deadline"]}"#;

/// Returns the deadline in milliseconds since 1970, None for never.
fn decide(index: &Json, document: &Json, _now: i64) -> Option<i64> {
    let Json::Object(key) = index.get("key")? else { return None };
    let date = millis(document.get(&key.first()?.0)?)?;
    let seconds = number(index.get("expireAfterSeconds")?)?;
    date.checked_add((seconds as i64).checked_mul(1000)?)
}

/// Returns the milliseconds of a date of canonical Extended JSON.
fn millis(value: &Json) -> Option<i64> {
    value.get("$date")?.get("$numberLong")?.text()?.parse().ok()
}

/// Returns a number of Extended JSON, or a plain one.
fn number(value: &Json) -> Option<f64> {
    match value {
        Json::Object(members) => members.first()?.1.text()?.parse().ok(),
        Json::Raw(text) => text.parse().ok(),
        _ => None,
    }
}

fn answer(op: &str, given: &Json) -> Option<String> {
    match op {
        "self.echo" => Some(format!("\"out\":{{\"value\":{}}}", given.get("value")?.write())),
        "mongodb.decide" => {
            let now = millis(given.get("now")?)?;
            let Json::List(indexes) = given.get("indexes")? else { return None };
            let deadline = indexes.first().and_then(|index| decide(index, given.get("document")?, now));
            Some(match deadline {
                None => r#""out":{"state":"never","deadline":null}"#.to_string(),
                Some(at) => format!(
                    r#""out":{{"state":"{}","deadline":{{"$date":{{"$numberLong":"{at}"}}}}}}"#,
                    if at <= now { "expired" } else { "pending" }
                ),
            })
        }
        _ => Some(format!("\"skip\":{}", quote(&format!("this adapter does not answer {op}")))),
    }
}

fn reply(request: &Json) -> Option<String> {
    let seq = request.get("seq").map_or("null".to_string(), Json::write);
    match request.get("cmd").and_then(Json::text) {
        Some("hello") => Some(HELLO.to_string()),
        Some("bye") => None,
        Some("run") => {
            let op = request.get("op").and_then(Json::text).unwrap_or("");
            let given = request.get("in").unwrap_or(&Json::Null);
            let body = answer(op, given).unwrap_or("\"fault\":\"not understood\"".to_string());
            Some(format!("{{\"seq\":{seq},{body}}}"))
        }
        _ => Some(format!("{{\"seq\":{seq},\"fault\":\"unknown cmd\"}}")),
    }
}

fn main() -> io::Result<()> {
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let line = line?;
        let request = Parser { text: line.as_bytes(), at: 0 }.value().unwrap_or(Json::Null);
        let Some(answer) = reply(&request) else { break };
        writeln!(out, "{answer}")?;
        out.flush()?;
    }
    Ok(())
}

/// JSON; numbers, true and false stay as they are written.
enum Json {
    Null,
    Raw(String),
    Text(String),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
}

impl Json {
    fn get(&self, name: &str) -> Option<&Json> {
        let Json::Object(members) = self else { return None };
        members.iter().find(|(n, _)| n == name).map(|(_, value)| value)
    }

    fn text(&self) -> Option<&str> {
        match self {
            Json::Text(text) => Some(text),
            _ => None,
        }
    }

    fn write(&self) -> String {
        match self {
            Json::Null => "null".to_string(),
            Json::Raw(text) => text.clone(),
            Json::Text(text) => quote(text),
            Json::List(list) => format!("[{}]", list.iter().map(Json::write).collect::<Vec<_>>().join(",")),
            Json::Object(members) => {
                let members: Vec<_> = members.iter().map(|(n, v)| format!("{}:{}", quote(n), v.write())).collect();
                format!("{{{}}}", members.join(","))
            }
        }
    }
}

fn quote(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if c < ' ' => quoted.push_str(&format!("\\u{:04x}", c as u32)),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

struct Parser<'a> {
    text: &'a [u8],
    at: usize,
}

impl Parser<'_> {
    fn peek(&mut self) -> Option<u8> {
        while self.text.get(self.at)?.is_ascii_whitespace() {
            self.at += 1;
        }
        self.text.get(self.at).copied()
    }

    fn skip(&mut self, c: u8) {
        if self.peek() == Some(c) {
            self.at += 1;
        }
    }

    fn value(&mut self) -> Option<Json> {
        match self.peek()? {
            b'{' => {
                let mut members = Vec::new();
                self.at += 1;
                while self.peek()? != b'}' {
                    let name = self.string()?;
                    self.skip(b':');
                    members.push((name, self.value()?));
                    self.skip(b',');
                }
                self.at += 1;
                Some(Json::Object(members))
            }
            b'[' => {
                let mut list = Vec::new();
                self.at += 1;
                while self.peek()? != b']' {
                    list.push(self.value()?);
                    self.skip(b',');
                }
                self.at += 1;
                Some(Json::List(list))
            }
            b'"' => self.string().map(Json::Text),
            _ => {
                let start = self.at;
                while self.at < self.text.len() && !b",]} \t".contains(&self.text[self.at]) {
                    self.at += 1;
                }
                match std::str::from_utf8(&self.text[start..self.at]).ok()? {
                    "null" => Some(Json::Null),
                    text => Some(Json::Raw(text.to_string())),
                }
            }
        }
    }

    fn string(&mut self) -> Option<String> {
        self.peek()?;
        let mut bytes = Vec::new();
        self.at += 1;
        loop {
            let c = *self.text.get(self.at)?;
            self.at += 1;
            match c {
                b'"' => return String::from_utf8(bytes).ok(),
                b'\\' => self.escape(&mut bytes)?,
                c => bytes.push(c),
            }
        }
    }

    fn escape(&mut self, bytes: &mut Vec<u8>) -> Option<()> {
        let c = *self.text.get(self.at)?;
        self.at += 1;
        match c {
            b'u' => {
                let mut code = self.hex()?;
                if (0xd800..0xdc00).contains(&code) && self.text.get(self.at..self.at + 2) == Some(b"\\u") {
                    self.at += 2;
                    code = 0x10000 + ((code - 0xd800) << 10) + (self.hex()?.checked_sub(0xdc00)?);
                }
                bytes.extend(char::from_u32(code)?.to_string().bytes());
            }
            b'b' => bytes.push(8),
            b'f' => bytes.push(12),
            b'n' => bytes.push(b'\n'),
            b'r' => bytes.push(b'\r'),
            b't' => bytes.push(b'\t'),
            c => bytes.push(c),
        }
        Some(())
    }

    fn hex(&mut self) -> Option<u32> {
        let digits = std::str::from_utf8(self.text.get(self.at..self.at + 4)?).ok()?;
        self.at += 4;
        u32::from_str_radix(digits, 16).ok()
    }
}
