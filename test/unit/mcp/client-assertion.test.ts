import assert from 'node:assert/strict';
import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { clientAssertion } from '../../../src/mcp/auth/client-assertion.ts';

const part = (text: string | undefined): Record<string, unknown> =>
  JSON.parse(Buffer.from(text ?? '', 'base64url').toString()) as Record<string, unknown>;

describe('MCP: a client that proves with a key who it is', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'belay-key-'));
  });
  after(async () => rm(folder, { recursive: true, force: true }));

  const keys = {
    RS256: () => generateKeyPairSync('rsa', { modulusLength: 2048 }),
    ES256: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
    ES384: () => generateKeyPairSync('ec', { namedCurve: 'P-384' }),
    EdDSA: () => generateKeyPairSync('ed25519'),
  };
  for (const [alg, make] of Object.entries(keys))
    it(`signs with ${alg}`, async () => {
      const { privateKey } = make();
      const file = path.join(folder, `${alg}.pem`);
      await writeFile(file, privateKey.export({ type: 'pkcs8', format: 'pem' }));
      const proof = await clientAssertion(file, 'me', 'https://issuer.example');
      const [head, claims, signature] = (proof.get('client_assertion') ?? '').split('.');
      assert.deepEqual(part(head), { alg, typ: 'JWT' });
      const { iss, sub, aud, iat, exp } = part(claims);
      assert.deepEqual([iss, sub, aud], ['me', 'me', 'https://issuer.example']);
      assert.equal(Number(exp) - Number(iat), 300);
      const hash = alg === 'EdDSA' ? null : `sha${alg.slice(2)}`;
      const key = { key: createPublicKey(privateKey), dsaEncoding: 'ieee-p1363' } as const;
      const signed = Buffer.from(`${head}.${claims}`);
      assert.ok(verify(hash, signed, key, Buffer.from(signature ?? '', 'base64url')));
    });

  it('says what is wrong with a file, and nothing of what is in it', async () => {
    const file = path.join(folder, 'bad.pem');
    await writeFile(file, '-----BEGIN PRIVATE KEY-----\nc2VjcmV0\n-----END PRIVATE KEY-----');
    for (const bad of [file, path.join(folder, 'none.pem')])
      await assert.rejects(clientAssertion(bad, 'me', 'x'), (error: Error) => {
        assert.match(error.message, /oauth\.privateKeyFile/u);
        return !error.message.includes('c2VjcmV0');
      });
    await writeFile(
      file,
      generateKeyPairSync('x25519').privateKey.export({ type: 'pkcs8', format: 'pem' }),
    );
    await assert.rejects(clientAssertion(file, 'me', 'x'), /x25519.*Use RSA/u);
  });
});
