// A second checker of certificates, written from proofs/README.md alone: node tests/second/check.mjs FOLDER
// It prints a line for each certificate: the answer, the reason or a hyphen, the key and the names. It does not do
// invariants, statements of the kinds steps and bound, and general games.

import fs from "node:fs";
import path from "node:path";

import {
  canonical, checkFormat, distinct, entries, Fault, list, need, object, oneOf, parseJson, readFile, sha256, text, UNDECIDED, unpack,
} from "./files.mjs";
import { checkCount } from "./count.mjs";
import { checkPlay } from "./plays.mjs";
import { checkSum } from "./sum.mjs";

const KINDS = { play: checkPlay, count: checkCount, sum: checkSum };
const NOT_DONE = ["steps", "bound"];
const INVARIANT = "-invariant";
const fileOf = (key) => key.slice(0, 16) + (key.endsWith(INVARIANT) ? INVARIANT : "");

// The answer to one certificate, and its key if it has one. `key` is what the index says, or undefined.
function check(folder, file, key) {
  const certificate = unpack(readFile(folder, "evidence", `${file}.json.gz`).bytes);
  checkFormat(certificate, "verifier-certificate");
  const { statement, verdict, evidence } = object(certificate, ["format", "version", "statement", "verdict", "evidence"]);
  oneOf(verdict, "proved", "refuted");
  need(statement instanceof Map && evidence instanceof Map, "malformed", "statement and evidence");
  const hash = sha256(canonical(statement));
  need(key === undefined ? file.slice(0, 16) === hash.slice(0, 16) : key.slice(0, 64) === hash, "other-statement");
  need(file.endsWith(INVARIANT) === evidence.has("invariant"), "other-form");
  const kind = oneOf(statement.get("kind"), ...Object.keys(KINDS), ...NOT_DONE);
  if (NOT_DONE.includes(kind) || (kind === "play" && evidence.has("invariant"))) return "not done";
  const rules = statement.get("rules");
  if (rules instanceof Map && rules.get("family") === "general") return "not done";
  KINDS[kind](folder, statement, verdict, evidence);
  return verdict;
}

function readIndex(folder) {
  const index = parseJson(readFile(folder, "INDEX.json").bytes.toString("latin1"));
  checkFormat(index, "verifier-index");
  const { filed, joins } = object(index, ["format", "version", "filed", "joins"]);
  const name = (value) => {
    const parts = text(value).split("/");
    need(parts.length <= 2 && parts.every((part) => part.length <= 60 && /^[a-z0-9]+(-[a-z0-9]+)*$/.test(part)), "malformed", "a name");
    return value;
  };
  entries(joins, (reading, others) => { name(reading); list(others, name); });
  const names = new Map();
  entries(filed, (reading, key) => {
    need(/^[0-9a-f]{64}(-invariant)?$/.test(text(key)), "malformed", "a key");
    names.set(key, [...(names.get(key) ?? []), name(reading)]);
  });
  need(filed.size <= 20_000 && joins.size <= 20_000, "too-large", "names");
  distinct([...names.keys()].map(fileOf));
  return names;
}

function main(folder) {
  const answers = new Set();
  const attempt = (key, names, run) => {
    let answer, reason = "-";
    try {
      answer = run();
    } catch (error) {
      reason = error instanceof Fault ? error.reason : error instanceof RangeError ? "died" : undefined;
      if (reason === undefined) throw error;
      answer = UNDECIDED.has(reason) ? "not decided" : "rejected";
      if (process.env.WHY) console.error(error.message);
    }
    answers.add(answer);
    if (answer) console.log(`${answer} ${reason} ${key} ${names.length > 0 ? names.join(",") : "filed under no name"}`);
  };
  let names = new Map();
  attempt("INDEX.json", [], () => { names = readIndex(folder); return ""; });
  let files = [];
  if (fs.lstatSync(path.join(folder, "evidence"), { throwIfNoEntry: false })?.isDirectory()) {
    const named = fs.readdirSync(path.join(folder, "evidence")).map((name) => /^([0-9a-f]{16}(?:-invariant)?)\.json\.gz$/.exec(name));
    files = named.filter((found) => found !== null).map((found) => found[1]).sort();
  }
  const keys = new Map([...names.keys()].map((key) => [fileOf(key), key]));
  for (const [file, key] of keys) if (!files.includes(file)) files.push(file);
  if (files.length === 0) return answers.has("rejected") ? 4 : 2;
  for (const file of files) attempt(keys.get(file) ?? file, names.get(keys.get(file)) ?? [], () => check(folder, file, keys.get(file)));
  return answers.has("rejected") ? 4 : answers.has("not decided") ? 1 : 0;
}

const [folder, ...more] = process.argv.slice(2);
if (folder === undefined || more.length > 0 || !fs.existsSync(folder)) {
  console.error("usage: node check.mjs FOLDER");
  process.exitCode = 2;
} else {
  process.exitCode = main(folder);
}
