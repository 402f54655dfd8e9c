// `npm run catalog -- PI-AI GENAI-PRICES`: writes the bundled list of models from the unpacked npm package
// @earendil-works/pi-ai, and what @pydantic/genai-prices says of the same models for the test that compares both.
// Neither is a dependency: `npm pack` them, unpack them anywhere, look at what changed, commit both files.
// Without packages, only what the presets say is written anew.
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import type { BundleFile } from '../../src/providers/catalog/bundle.ts';
import { bundleFrom, presetFacts } from './catalog/first-source.ts';
import { extractFrom } from './catalog/second-source.ts';
import { root } from './processes.ts';

const bundled = path.join(root, 'src/providers/catalog/models.json.br');
const compared = path.join(root, 'test/fixtures/catalog/genai-prices.json');

async function write(file: BundleFile): Promise<void> {
  const text = Buffer.from(JSON.stringify(file));
  const packed = brotliCompressSync(text, {
    params: {
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
    },
  });
  await writeFile(bundled, packed);
  const models = Object.values(file.providers).flat().length;
  console.log(
    `${file.date}: ${models} models of ${Object.keys(file.providers).length} providers, ${text.length} bytes, ${packed.length} compressed`,
  );
}

async function compare(second: string, file: BundleFile): Promise<void> {
  const extract = await extractFrom(path.resolve(second), file);
  await writeFile(compared, `${JSON.stringify(extract, null, 1)}\n`);
  console.log(`${Object.keys(extract.models).length} of them are in ${extract.source}`);
}

if (import.meta.main) {
  const [first, second] = process.argv.slice(2);
  if (first === undefined || second === undefined) {
    const file = JSON.parse(brotliDecompressSync(await readFile(bundled)).toString()) as BundleFile;
    await write({ ...file, presets: presetFacts() });
  } else {
    const file = await bundleFrom(path.resolve(first));
    await write(file);
    await compare(second, file);
  }
}
