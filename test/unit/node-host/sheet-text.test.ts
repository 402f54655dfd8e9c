import assert from 'node:assert/strict';
import { sheetText } from '../../../src/hosts/node/sheets/sheet-text.ts';
import { IsolatedSheetReader } from '../../../src/hosts/node/sheets/sheet-reader.ts';
import { xlsx, zipped } from '../../support/zip.ts';

/** Some of its directory overwritten. */
function damaged(file: Buffer): Buffer {
  return file.fill(0xff, file.length - 150, file.length - 30);
}

/** Unpacks to 200 MB and claims to have ten bytes. */
function lyingBomb(): Buffer {
  const file = xlsx('', { 'xl/sharedStrings.xml': Buffer.alloc(200_000_000, 'a') });
  const name = file.lastIndexOf('xl/sharedStrings.xml');
  file.writeUInt32LE(10, name - 46 + 24);
  return file;
}

const { signal } = new AbortController();

describe('spreadsheets as text', function () {
  this.timeout(120_000);

  it('xlsx: shared, inline and plain values, gaps, dates, booleans, errors, what a formula gave', () => {
    const book = xlsx(
      [
        '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="C1" t="inlineStr"><is><t>a &lt;b&gt;&#10;c</t></is></c></row>',
        '<row r="4"><c r="A4" t="s"><v>1</v></c><c r="B4"><f>1+1</f><v>2</v></c><c r="C4" s="1"><v>45000</v></c><c r="D4" s="2"><v>45000.5</v></c><c r="E4" t="b"><v>1</v></c><c r="F4" t="e"><v>#REF!</v></c><c r="G4"/></row>',
        '<row r="5"><c r="A5"/></row>',
      ].join(''),
    );
    assert.deepEqual(sheetText(book), {
      text: [
        '[sheet "Costs & more"]',
        '1\tName\t\ta <b> c',
        '4\tTwo parts\t2\t2023-03-15\t2023-03-15 12:00:00\tTRUE\t#REF!',
      ].join('\n'),
    });
  });

  const ENTITIES = `<!DOCTYPE x [<!ENTITY a "${'lol'.repeat(1000)}"><!ENTITY b SYSTEM "file:///etc/passwd">]>`;
  for (const [what, file, said] of [
    [
      'a zip bomb',
      xlsx('', { 'xl/sharedStrings.xml': Buffer.alloc(200_000_000, 'a') }),
      /unpacks to more than 64 MB/u,
    ],
    ['no zip file', Buffer.from('PK\u0003\u0004 nothing'), /no spreadsheet, or incomplete/u],
    ['another zip file', zipped({ 'a.txt': 'x' }), /no sheets/u],
    ['a damaged directory', damaged(xlsx('')), /damaged|incomplete/u],
    ['half a file', xlsx('<row/>').subarray(0, 300), /incomplete/u],
    ['a zip bomb that says it is small', lyingBomb(), /unpacks to more than 64 MB/u],
  ] as const)
    it(`security: ${what} is a sentence`, async () => {
      await assert.rejects(new IsolatedSheetReader().text(file, signal), said);
    });

  it('security: entities are neither resolved nor fetched, and tags that never end take no time', () => {
    const bomb = xlsx('', {
      'xl/worksheets/sheet1.xml': `${ENTITIES}<row r="1"><c t="str"><v>&a;&b;&unknown;</v></c></row>`,
    });
    assert.deepEqual(sheetText(bomb), {
      text: '[sheet "Costs & more"]\n1\t&a;&b;&unknown;',
    });
    const open = xlsx('', { 'xl/worksheets/sheet1.xml': `<row r="1">${'<c a="'.repeat(300_000)}` });
    assert.deepEqual(sheetText(open), { text: '[sheet "Costs & more"]' });
    const wide = xlsx('<row r="1"><c r="ZZZ1"><v>1</v></c><c r="B1"><v>2</v></c></row>');
    assert.deepEqual(sheetText(wide), { text: '[sheet "Costs & more"]\n1\t\t2' });
  });

  it('security: one that takes too long is given up', async () => {
    await assert.rejects(
      new IsolatedSheetReader(1).text(xlsx('<row/>'), signal),
      /takes too long/u,
    );
  });
});
