import assert from 'node:assert/strict';
import { inEnglish } from '../../../src/domain/text/told.ts';
import { kindOfHost } from '../../../src/core/permissions/network/network-address.ts';
import { HostMemory } from '../../../src/core/permissions/network/allowed-hosts.ts';
import type { AllowedHosts } from '../../../src/core/permissions/network/request-guard.ts';
import {
  carriesData,
  hostMatches,
  judgeAddress,
  judgeRequest,
  judgeServerAddress,
  readUrl,
  serverUrlProblem,
  shortUrl,
} from '../../../src/core/permissions/network/request-guard.ts';

const nobody: AllowedHosts = { always: [], never: [], session: new Set() };
const verdict = (url: string, allowed: Partial<AllowedHosts> = {}) =>
  judgeRequest(url, { ...nobody, ...allowed }).verdict;

describe('hosts that a person said yes to', () => {
  const url = new URL('https://a.example/x');
  it('a yes to contact one and a yes to believe it are two, each of its session', () => {
    const memory = new HostMemory({ always: () => ['b.example'], never: () => ['c.example'] });
    memory.contacted('s', url);
    const { always, never, session } = memory.allowed('s');
    assert.deepEqual(
      [always, never, [...session]],
      [['b.example'], ['c.example'], ['https://a.example:443']],
    );
    assert.deepEqual([...memory.allowed('t').session], []);
    assert.equal(memory.isBelieved('s', url), false);
    memory.believed('s', url);
    assert.equal(memory.isBelieved('s', new URL('https://a.example/other')), true);
    assert.equal(memory.isBelieved('t', url), false);
    assert.equal(
      memory.isBelieved('s', new URL('https://b.example/')),
      false,
      'it may be contacted',
    );
    assert.equal(memory.isBelieved('s', new URL('https://b.example/'), true), false);
  });

  it('where nobody can be asked, what a setting names is believed, and nothing else', () => {
    const memory = new HostMemory({ always: () => ['a.example'], never: () => [] }, true);
    assert.equal(memory.isBelieved('s', url), true);
    assert.equal(memory.isBelieved('s', new URL('https://b.example/')), false);
    assert.equal(memory.isBelieved('s', new URL('https://b.example/'), true), true);
  });
});

describe('request guard', () => {
  it('rule 6: no host is allowed by itself, however well known it is', () => {
    for (const url of [
      'https://docs.python.org/3/',
      'https://github.com/x/y',
      'https://huggingface.co/datasets/attacker/x?d=SECRET',
      'http://localhost:3000/',
    ])
      assert.equal(verdict(url), 'ask', url);
  });

  it('rule 6: a host is compared by its labels, never by how a text begins or ends', () => {
    const always = ['docs.python.org', '*.example.org', 'localhost:8080'];
    for (const url of [
      'https://docs.python.org/3/library/json.html',
      'https://DOCS.python.org./3/',
      'https://a.b.example.org/x',
      'http://localhost:8080/',
    ])
      assert.equal(verdict(url, { always }), 'allow', url);
    for (const url of [
      'https://docs.python.org.evil.example/x',
      'https://docs.python.org-evil.example/x',
      'https://evildocs.python.org/x',
      'https://docs.python.org:8443/x',
      'https://example.org/x',
      'https://evil-example.org/x',
      'http://localhost:8081/',
      'https://evil.example/?u=https://docs.python.org/',
    ])
      assert.equal(verdict(url, { always }), 'ask', url);
    assert.equal(hostMatches('*', new URL('https://a.example')), false);
    assert.equal(hostMatches('*.com', new URL('https://a.com')), false);
  });

  it('rule 6: what is read in two ways is refused', () => {
    for (const url of [
      'https://docs.python.org@evil.example/',
      'https://user:secret@docs.python.org/',
      'https://:secret@docs.python.org/',
      'https:///docs.python.org@evil.example/',
      'https://docs.python.org\\@evil.example/',
      'https://docs.python.org\t.evil.example/',
      'https://docs.python.org\u200b/',
      'file:///etc/passwd',
      'ftp://a.example/',
      'data:text/html,x',
      'javascript:alert(1)',
      'command:workbench.action.quit',
      'https:/evil.example',
      'https:evil.example',
      '//evil.example',
      'evil.example',
      `https://a.example/${'x'.repeat(4096 - 17)}`,
      '',
    ]) {
      assert.ok('problem' in readUrl(url), url);
      assert.equal(verdict(url, { always: ['docs.python.org'] }), 'refuse', url);
    }
    assert.ok('url' in readUrl(`https://a.example/${'x'.repeat(4096 - 18)}`));
  });

  it('rule 6: services that hand out credentials are never contacted, in whatever form they are written', () => {
    for (const url of [
      'http://169.254.169.254/latest/meta-data/',
      'http://2852039166/',
      'http://0xa9fea9fe/',
      'http://0251.0376.0251.0376/',
      'http://169.254.43518/',
      'http://[::ffff:169.254.169.254]/',
      'http://[::ffff:a9fe:a9fe]/',
      'http://[64:ff9b::a9fe:a9fe]/',
      'http://[fd00:ec2::254]/',
      'http://[fe80::1]/',
      'http://metadata.google.internal/computeMetadata/v1/',
      'http://METADATA.google.internal./',
      'http://100.100.100.200/',
      'http://169.254.1.1/',
      'http://224.0.0.1/',
    ])
      assert.equal(
        verdict(url, { always: ['169.254.169.254', '*.google.internal'] }),
        'refuse',
        url,
      );
  });

  it('this machine and private networks are told from the internet', () => {
    const kinds: Readonly<Record<string, string | undefined>> = {
      '127.0.0.1': 'loopback',
      '0.0.0.0': 'loopback',
      '[::1]': 'loopback',
      '[::]': 'loopback',
      localhost: 'loopback',
      'a.localhost.': 'loopback',
      '10.1.2.3': 'private',
      '172.16.0.1': 'private',
      '172.32.0.1': 'public',
      '192.168.1.1': 'private',
      '100.64.0.1': 'private',
      '[fd12::1]': 'private',
      '[2606:4700::1111]': 'public',
      '[2001:4860:4860::8888]': 'public',
      '[2001:db8::1]': 'reserved',
      '[2001:1ff::1]': 'reserved',
      '[2001:200::1]': 'public',
      '[2a00:1::1]': 'public',
      '[2002:7f00:1::]': 'loopback',
      '8.8.8.8': 'public',
      router: 'private',
      'nas.local': 'private',
      'docs.python.org': undefined,
      '2852039166': 'metadata',
      '169.254.43518': 'metadata',
      '0xa9.0376.0xa9.254': 'metadata',
      '[64:ff9b:1::a9fe:a9fe]': 'metadata',
      // Numbers that no client reads are no names to be looked up either.
      '08.1.1.1': 'reserved',
      '300.1.1.1': 'reserved',
      '[::ffff:08.1.1.1]': 'reserved',
    };
    for (const [host, kind] of Object.entries(kinds)) assert.equal(kindOfHost(host), kind, host);
  });

  it('rule 6: a name that leads inside is not followed there', () => {
    assert.equal(judgeAddress('evil.example', '93.184.216.34', false).ok, true);
    for (const address of [
      '127.0.0.1',
      '10.0.0.1',
      '169.254.169.254',
      '::1',
      '::ffff:10.0.0.1',
      'x',
    ])
      assert.equal(judgeAddress('evil.example', address, false).ok, false, address);
    // The person's own setting may name a host of their network, but no service with credentials.
    assert.equal(judgeAddress('wiki.corp.example', '10.0.0.1', true).ok, true);
    assert.equal(judgeAddress('wiki.corp.example', '169.254.169.254', true).ok, false);
    assert.equal(judgeAddress('localhost', '127.0.0.1', false).ok, true);
    assert.equal(judgeAddress('localhost', '10.0.0.1', false).ok, false);
  });

  it('rule 6: an allowed host is asked about again when the address can carry data away', () => {
    const always = ['huggingface.co', '*.example.org'];
    assert.equal(verdict('https://huggingface.co/docs/hub/index', { always }), 'allow');
    assert.equal(verdict('https://huggingface.co/search?q=bert', { always }), 'allow');
    assert.equal(
      verdict('https://huggingface.co/CamelCaseWordsOfManyLetters', { always }),
      'allow',
    );
    assert.equal(verdict(`https://huggingface.co/${'xY3'.repeat(8)}`, { always }), 'ask');
    assert.equal(verdict(`https://huggingface.co/${'xY3'.repeat(7)}xY`, { always }), 'allow');
    for (const url of [
      `https://huggingface.co/datasets/x?d=${'A1b2'.repeat(20)}`,
      'https://huggingface.co/x?d=c2VjcmV0LWtleS12YWx1ZS0xMjM0',
      `https://${'abcdef0123456789'.repeat(2)}.example.org/`,
      `https://huggingface.co/${'word-'.repeat(12)}`,
    ])
      assert.equal(verdict(url, { always }), 'ask', url);
  });

  it('what an address may carry is told from what names a page', () => {
    const host = 'https://a.example';
    const hex = 'abcdef0123456789';
    const of = (url: string) => carriesData(new URL(url));
    for (const [url, carries] of [
      [`${host}/?${'q=ab&'.repeat(15)}q=abc`, false],
      [`${host}/?${'q=ab&'.repeat(16)}`, false],
      [`${host}/?${'q=ab&'.repeat(16)}a`, true],
      [`${host}/?q=${'g'.repeat(32)}`, false],
      [`${host}/?q=${'g'.repeat(33)}`, true],
      [`${host}/?${'g'.repeat(33)}`, true],
      [`${host}/${'a'.repeat(48)}`, true],
      [`${host}/${'g'.repeat(48)}`, false],
      [`${host}/${'g'.repeat(49)}`, true],
      [`${host}/${hex}${hex.slice(1)}`, false],
      [`${host}/${hex}${hex}`, true],
      [`${host}/${hex}${hex}${hex.slice(8)}`, false],
      [`${host}/${hex}${hex}${hex.slice(7)}`, true],
      [`${host}${'/a'.repeat(23)}`, false],
      [`${host}${'/a'.repeat(24)}`, true],
      [`https://${'g'.repeat(49)}.a.example/`, true],
    ] as const)
      assert.equal(of(url), carries, url);
  });

  it('a question says what is to be known of the host', () => {
    const said = (url: string): string => {
      const judged = judgeRequest(url, nobody);
      return judged.verdict === 'ask' ? inEnglish(judged.reason) : judged.verdict;
    };
    const plain = 'It is not encrypted: others on the way can read and change it.';
    for (const [url, reason] of [
      ['https://a.example/', 'A request goes to the host a.example.'],
      ['https://8.8.8.8/', 'A request goes to the host 8.8.8.8.'],
      ['http://a.example/', `A request goes to the host a.example. ${plain}`],
      ['http://localhost:3/', 'A request goes to the host localhost:3. That is this machine.'],
      [
        'https://10.0.0.1/',
        'A request goes to the host 10.0.0.1. That is in your private network.',
      ],
      [
        'https://xn--gthub-n4a.com/',
        'A request goes to the host xn--gthub-n4a.com. The name has letters of other alphabets in it; it may only look like one you know.',
      ],
      [
        `https://a.example/?q=${'a'.repeat(33)}`,
        'A request goes to the host a.example. Look at the address: what follows the question mark can carry data to a.example.',
      ],
    ] as const)
      assert.equal(said(url), reason);
  });

  it('an address in a sentence is at most 120 characters long', () => {
    assert.equal(shortUrl('a'.repeat(118)), `"${'a'.repeat(118)}"`);
    assert.equal(shortUrl('a'.repeat(119)), `"${'a'.repeat(116)}…"`);
  });

  it('what the person never allows is refused, whatever else says yes', () => {
    const lists = { always: ['*.example.org'], never: ['evil.example.org'] };
    assert.equal(verdict('https://evil.example.org/', lists), 'refuse');
    assert.equal(verdict('https://good.example.org/', lists), 'allow');
  });

  it('a server that the person defined may be in their network, never a service with credentials', () => {
    assert.equal(serverUrlProblem('http://127.0.0.1:3000/mcp'), undefined);
    assert.equal(serverUrlProblem('https://mcp.corp.example/mcp'), undefined);
    assert.match(serverUrlProblem('http://169.254.169.254/mcp') ?? '', /never contacted/u);
    assert.equal(judgeServerAddress('mcp.corp.example', '10.0.0.1').ok, true);
    assert.equal(judgeServerAddress('mcp.evil.example', '169.254.169.254').ok, false);
  });
});
