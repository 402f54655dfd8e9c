// Loads the chunks that lie compressed in packed-code.br, when they are first needed: `require('./packed-code.cjs')(id)`
// is `require(id)` for all of them and for everything else. The file is its list, a line of JSON (name, bytes), and the
// codes one after another.
const { readFileSync } = require('node:fs');
const path = require('node:path');
const { compileFunction } = require('node:vm');
const { brotliDecompressSync } = require('node:zlib');

const parameters = ['exports', 'require', 'module', '__filename', '__dirname'];
const bytes = brotliDecompressSync(readFileSync(path.join(__dirname, 'packed-code.br')));
const head = bytes.indexOf('\n');
/** @type {Map<string, Buffer | { exports: unknown }>} code, or the module that was made of it */
const modules = new Map();
const list = /** @type {readonly (readonly [name: string, bytes: number])[]} */ (
  JSON.parse(bytes.subarray(0, head).toString())
);
let at = head + 1;
for (const [name, length] of list) {
  modules.set(`./${name}`, bytes.subarray(at, at + length));
  at += length;
}

/** @type {(id: string) => unknown} */
const load = (id) => {
  const found = modules.get(id);
  if (found === undefined) return require(id);
  if (!Buffer.isBuffer(found)) return found.exports;
  const made = { exports: {} };
  modules.set(id, made);
  const filename = path.join(__dirname, id);
  const run = compileFunction(found.toString(), parameters, { filename });
  run.call(made.exports, made.exports, load, made, filename, __dirname);
  return made.exports;
};
module.exports = load;
