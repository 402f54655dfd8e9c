// `npm run catalog -- PI-AI GENAI-PRICES`: writes the bundled list of models from the unpacked npm package
// @earendil-works/pi-ai, and what @pydantic/genai-prices says of the same models for the test that compares both.
// Neither is a dependency: `npm pack` them, unpack them anywhere, look at what changed, commit both files.
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { bundleFrom } from './catalog/first-source.ts';
import { extractFrom } from './catalog/second-source.ts';
import { root } from './processes.ts';

const bundled = path.join(root, 'src/providers/catalog/models.json.br');
const compared = path.join(root, 'test/fixtures/catalog/genai-prices.json');

async function write(first: string, second: string): Promise<void> {
  const file = await bundleFrom(path.resolve(first));
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
  const extract = await extractFrom(path.resolve(second), file);
  await writeFile(compared, `${JSON.stringify(extract, null, 1)}\n`);
  console.log(`${Object.keys(extract.models).length} of them are in ${extract.source}`);
}

if (import.meta.main) {
  const [first, second] = process.argv.slice(2);
  if (first === undefined || second === undefined) {
    console.error('Usage: npm run catalog -- UNPACKED-PI-AI UNPACKED-GENAI-PRICES');
    process.exitCode = 1;
  } else {
    await write(first, second);
  }
}
