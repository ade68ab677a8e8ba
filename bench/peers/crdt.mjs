// Replays an editing trace with loro-crdt and yjs and prints one JSON object.
// node crdt.mjs TRACE.json.gz REPETITIONS
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

const [file, repetitionsText = "3"] = process.argv.slice(2);
const trace = JSON.parse(gunzipSync(readFileSync(file)).toString("utf8"));
const repetitions = Math.max(1, Math.floor(Number(repetitionsText) / 3));
const figures = [];
const remarks = [];

function median(runs, work) {
  const times = [];
  for (let i = 0; i < runs; i++) {
    const start = performance.now();
    work();
    times.push(performance.now() - start);
  }
  times.sort((a, b) => a - b);
  return Number(times[Math.floor(times.length / 2)].toFixed(3));
}

/** Loads a package, or says why it is left out. */
async function attempt(name, measure) {
  try {
    figures.push(await measure(await import(name)));
  } catch (error) {
    remarks.push(`${name} skipped: ${error.code ?? error.message}`);
  }
}

function requireEnd(text) {
  if (text !== trace.endContent) {
    throw new Error("does not reproduce the end of the trace");
  }
}

function loro({ LoroDoc, LORO_VERSION }) {
  const replay = () => {
    const doc = new LoroDoc();
    const text = doc.getText("text");
    if (trace.startContent) text.insert(0, trace.startContent);
    for (const { patches } of trace.txns) {
      for (const [position, deleted, inserted] of patches) {
        if (deleted > 0) text.delete(position, deleted);
        if (inserted) text.insert(position, inserted);
      }
    }
    doc.commit();
    return doc;
  };
  const apply = median(repetitions, replay);
  const doc = replay();
  requireEnd(doc.getText("text").toString());
  const saved = doc.export({ mode: "snapshot" });
  const load = median(repetitions * 5, () => {
    const loaded = new LoroDoc();
    loaded.import(saved);
    requireEnd(loaded.getText("text").toString());
  });
  const before = doc.version();
  doc.getText("text").insert(doc.getText("text").length, "x");
  doc.commit();
  const delta = doc.export({ mode: "update", from: before });
  const version = typeof LORO_VERSION === "function" ? " " + LORO_VERSION() : "";
  return result("loro-crdt" + version, apply, load, saved, delta);
}

function yjs(Y) {
  const replay = () => {
    const doc = new Y.Doc();
    const text = doc.getText("text");
    if (trace.startContent) text.insert(0, trace.startContent);
    for (const { patches } of trace.txns) {
      for (const [position, deleted, inserted] of patches) {
        if (deleted > 0) text.delete(position, deleted);
        if (inserted) text.insert(position, inserted);
      }
    }
    return doc;
  };
  const apply = median(1, replay);
  const doc = replay();
  requireEnd(doc.getText("text").toString());
  const saved = Y.encodeStateAsUpdate(doc);
  const load = median(repetitions * 3, () => {
    const loaded = new Y.Doc();
    Y.applyUpdate(loaded, saved);
    requireEnd(loaded.getText("text").toString());
  });
  const before = Y.encodeStateVector(doc);
  doc.getText("text").insert(doc.getText("text").length, "x");
  const delta = Y.encodeStateAsUpdate(doc, before);
  return result("yjs", apply, load, saved, delta);
}

function result(peer, apply, load, saved, delta) {
  return {
    peer,
    apply_ms: apply,
    load_ms: load,
    saved_bytes: saved.length,
    delta_bytes: delta.length,
  };
}

if (trace.kind === "concurrent") {
  remarks.push("loro-crdt and yjs skipped: this script replays sequential traces only");
} else {
  await attempt("loro-crdt", loro);
  await attempt("yjs", yjs);
}
console.log(JSON.stringify({ figures, remark: remarks.join("; ") }));
