// Files, JSON and the shapes of values (section 1 of proofs/README.md).

import crypto from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import zlib from "node:zlib";

// Why a certificate is not accepted, in the words of the text.
export class Fault extends Error {
  constructor(reason, why = "") {
    super(`${reason}: ${why}`);
    this.reason = reason;
  }
}
export const UNDECIDED = new Set(["limit", "too-large", "time", "died", "unreadable", "version"]);
export const fail = (reason, why) => { throw new Fault(reason, why); };
export const need = (condition, reason, why) => { if (!condition) throw new Fault(reason, why); };
const LARGEST = 64 * 1024 * 1024;
const DEEPEST = 100;

export const sha256 = (bytes) => crypto.createHash("sha256").update(bytes).digest("hex");

// JSON: objects are Maps, lists are Arrays. What JSON.parse would forgive (keys twice, floats) is a fault here.
export function parseJson(text) {
  const space = /[ \t\n\r]*/y;
  const number = /-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?/y;
  const string = /"[^"\\\x00-\x1f]*(?:\\(?:["\\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\x00-\x1f]*)*"/y;
  let at = 0;
  const skip = () => {
    const c = text.charCodeAt(at);
    if (c === 32 || (c >= 9 && c <= 13)) { space.lastIndex = at; space.test(text); at = space.lastIndex; }
  };
  const match = (pattern) => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    need(found, "malformed", `not JSON at ${at}`);
    at = pattern.lastIndex;
    return found;
  };
  const text_ = () => {
    const quoted = match(string)[0];
    return quoted.includes("\\") ? JSON.parse(quoted) : quoted.slice(1, -1);
  };
  const items = (end, item) => {  // the items of a list or an object, whose first character was read
    skip();
    if (text[at] === end) { at++; return; }
    for (;;) {
      item();
      skip();
      const c = text[at++];
      if (c === end) return;
      need(c === ",", "malformed", `not JSON at ${at}`);
    }
  };
  const value = (depth) => {
    need(depth <= DEEPEST, "malformed", "nested too deeply");
    skip();
    const c = text[at];
    if (c === '"') return text_();
    if (c === "[") {
      const list = [];
      at++;
      items("]", () => list.push(value(depth + 1)));
      return list;
    }
    if (c === "{") {
      const map = new Map();
      at++;
      items("}", () => {
        skip();
        const key = text_();
        skip();
        need(text[at++] === ":", "malformed", `not JSON at ${at}`);
        need(!map.has(key), "duplicate-entry", key);
        map.set(key, value(depth + 1));
      });
      return map;
    }
    for (const [word, meaning] of [["true", true], ["false", false], ["null", null]]) {
      if (text.startsWith(word, at)) { at += word.length; return meaning; }
    }
    const found = match(number);
    need(!found[1] && !found[2] && found[0].replace("-", "").length <= 12, "malformed", "not an integer of 12 digits");
    return Number(found[0]);
  };
  const all = value(1);
  skip();
  need(at === text.length, "malformed", "more than one value");
  return all;
}

const quote = (text) => JSON.stringify(text).replace(/[\x7f-\uffff]/g,
  (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);
const points = (text) => Array.from(text, (c) => c.codePointAt(0));
function byCodePoints(a, b) {
  if (!/[\ud800-\udfff]/.test(a + b)) return a < b ? -1 : 1;
  const [left, right] = [points(a), points(b)];
  for (let i = 0; i < left.length && i < right.length; i++) if (left[i] !== right[i]) return left[i] - right[i];
  return left.length - right.length;
}
export function canonical(value, comma = ",", colon = ":") {
  if (Array.isArray(value)) return `[${value.map((v) => canonical(v, comma, colon)).join(comma)}]`;
  if (value instanceof Map) {
    const keys = [...value.keys()].sort(byCodePoints);
    return `{${keys.map((k) => quote(k) + colon + canonical(value.get(k), comma, colon)).join(comma)}}`;
  }
  return typeof value === "string" ? quote(value) : Object.is(value, -0) ? "0" : String(value);
}

// The value of a .json.gz file, and the hash of its bytes. `folder` is trusted, what lies in it is not.
export function readFile(folder, ...parts) {
  const place = path.join(folder, ...parts);
  let bytes;
  try {
    for (let n = 1; n < parts.length; n++) need(fs.lstatSync(path.join(folder, ...parts.slice(0, n))).isDirectory(), "unreadable", place);
    const status = fs.lstatSync(place);
    need(status.isFile(), "unreadable", place);
    need(status.size <= LARGEST, "too-large", place);
    bytes = fs.readFileSync(place);
  } catch (error) {
    throw error instanceof Fault ? error : new Fault("unreadable", String(error));
  }
  return { bytes, hash: sha256(bytes) };
}

const HEADER = Buffer.from("1f8b08000000000000ff", "hex");
const CRC = Int32Array.from({ length: 256 }, (_, n) => {
  for (let k = 0; k < 8; k++) n = n & 1 ? (n >>> 1) ^ 0xedb88320 : n >>> 1;
  return n;
});
function crc32(bytes) {
  let sum = -1;
  for (let i = 0; i < bytes.length; i++) sum = CRC[(sum ^ bytes[i]) & 255] ^ (sum >>> 8);
  return ~sum >>> 0;
}
export function unpack(bytes) {
  need(HEADER.equals(bytes.subarray(0, 10)), "not-canonical", "another header");
  let plain, used;
  try {
    const { buffer, engine } = zlib.inflateRawSync(bytes.subarray(10), { info: true, maxOutputLength: LARGEST });
    [plain, used] = [buffer, 10 + engine.bytesWritten];
  } catch (error) {
    fail({ Z_BUF_ERROR: "truncated", ERR_BUFFER_TOO_LARGE: "too-large" }[error.code] ?? "damaged", error.message);
  }
  need(bytes.length >= used + 8, "truncated");
  need(bytes.readUInt32LE(used) === crc32(plain) && bytes.readUInt32LE(used + 4) === plain.length, "damaged", "checksum");
  need(bytes.length === used + 8, "damaged", "bytes after the member");
  const text = plain.toString("latin1");
  const value = parseJson(text);
  need(canonical(value) + "\n" === text, "not-canonical");
  return value;
}

// A table that evidence names by its hash, with its format.
export function readTable(folder, hash, format) {
  text(hash);
  need(/^[0-9a-f]{64}$/.test(hash), "malformed", "not a hash");
  const file = readFile(folder, "tables", `${hash.slice(0, 16)}.json.gz`);
  need(file.hash === hash, "hash", hash);
  const table = unpack(file.bytes);
  checkFormat(table, format);
  return table;
}
export function checkFormat(map, format) {
  need(map instanceof Map && map.get("format") === format, "malformed", "another format");
  need(Number.isInteger(map.get("version")), "malformed", "version");
  need(map.get("version") === 2, "version");
}

// The shapes of values. Each returns the value, if it has the shape.
export function object(value, required, optional = []) {
  need(value instanceof Map, "malformed", "not an object");
  for (const key of required) need(value.has(key), "malformed", `no ${key}`);
  for (const key of value.keys()) need(required.includes(key) || optional.includes(key), "malformed", `unknown ${key}`);
  return Object.fromEntries(value);
}
export function list(value, item = (v) => v, least = 0, most = Infinity) {
  need(Array.isArray(value) && value.length >= least && value.length <= most, "malformed", "not such a list");
  return value.map(item);
}
export function entries(value, item) {
  need(value instanceof Map, "malformed", "not an object");
  return [...value].map(([key, v]) => item(key, v));
}
export function text(value) {
  need(typeof value === "string", "malformed", "not a text");
  return value;
}
export function integer(value, least = -Infinity, most = Infinity) {
  need(typeof value === "number" && value >= least && value <= most, "malformed", `not such a number: ${value}`);
  return value;
}
export function oneOf(value, ...choices) {
  need(choices.includes(value), "malformed", `${value} is none of ${choices}`);
  return value;
}
export function distinct(values, reason = "malformed") {
  need(new Set(values).size === values.length, reason, "something twice");
  return values;
}
