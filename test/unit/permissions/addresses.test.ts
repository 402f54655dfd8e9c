import assert from 'node:assert/strict';
import {
  kindOfAddress,
  kindOfHost,
} from '../../../src/core/permissions/network/network-address.ts';

describe('where an address leads', () => {
  it('blocks of IPv4 are known from their first to their last address', () => {
    const kinds: Readonly<Record<string, string>> = {
      loopback: `0.0.0.0 0.255.255.255 127.0.0.0 127.255.255.255`,
      private: `10.0.0.0 10.255.255.255 100.64.0.0 100.127.255.255 172.16.0.0 172.31.255.255
        192.168.0.0 192.168.255.255`,
      link_local: `169.254.0.0 169.254.255.255`,
      metadata: `169.254.169.254 169.254.170.2 100.100.100.200 168.63.129.16 192.0.0.192
        fd00:ec2::254 fd20:ce::254 ::ffff:169.254.169.254`,
      reserved: `192.0.0.0 192.0.0.255 192.0.2.0 192.0.2.255 192.88.99.0 192.88.99.255
        198.18.0.0 198.19.255.255 198.51.100.0 198.51.100.255 203.0.113.0
        203.0.113.255 224.0.0.0 255.255.255.255 300.1.1.1`,
      public: `1.0.0.0 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255
        128.0.0.0 169.253.255.255 169.255.0.0 172.15.255.255 172.32.0.0
        191.255.255.255 192.0.1.0 192.0.3.0 192.88.98.255 192.88.100.0
        192.167.255.255 192.169.0.0 198.17.255.255 198.20.0.0 198.51.99.255
        198.51.101.0 203.0.112.255 203.0.114.0 223.255.255.255`,
    };
    for (const [kind, addresses] of Object.entries(kinds))
      for (const address of addresses.split(/\s+/u))
        assert.equal(kindOfAddress(address), kind, address);
  });

  it('blocks of IPv6 are, too, and an IPv4 address within one counts as itself', () => {
    const kinds: readonly (readonly [string, string])[] = [
      ['::', 'loopback'],
      ['[::1]', 'loopback'],
      ['fe80::1', 'link_local'],
      ['febf::1%eth0', 'link_local'],
      ['fec0::1', 'private'],
      ['feff::1', 'private'],
      ['fc00::1', 'private'],
      ['fdff::1', 'private'],
      ['fe00::1', 'reserved'],
      ['ff02::1', 'reserved'],
      ['2001:db8::1', 'reserved'],
      ['2001:db9::1', 'public'],
      ['2001:1ff::1', 'reserved'],
      ['2001:200::1', 'public'],
      ['2002:db8::1', 'public'],
      ['2003::1', 'public'],
      ['1fff::1', 'reserved'],
      ['3fff::1', 'public'],
      ['4000::1', 'reserved'],
      ['::ffff:10.0.0.1', 'private'],
      ['::ffff:8.8.8.8', 'public'],
      ['::ffff:0:127.0.0.1', 'loopback'],
      ['64:ff9b::10.0.0.1', 'private'],
      ['64:ff9b:1::10.0.0.1', 'private'],
      ['64:ff9b::8.8.8.8', 'public'],
      ['2002:7f00:1::', 'loopback'],
      ['2002:808:808::', 'public'],
      ['::10.0.0.1', 'private'],
      ['::8.8.8.8', 'public'],
      ['::2', 'reserved'],
    ];
    for (const [address, kind] of kinds) assert.equal(kindOfAddress(address), kind, address);
  });

  it('an address in another spelling is the same; a name is none', () => {
    for (const spelling of ['2130706433', '0x7f.1', '0177.0.0.1', '127.1', '127.0.0.1.'])
      assert.equal(kindOfHost(spelling), 'loopback', spelling);
    const names: readonly (readonly [string, string | undefined])[] = [
      ['LOCALHOST.', 'loopback'],
      ['a.localhost', 'loopback'],
      ['ip6-loopback', 'loopback'],
      ['ip6-localhost', 'loopback'],
      ['box.localdomain', 'loopback'],
      ['metadata.google.internal', 'metadata'],
      ['intranet', 'private'],
      ['printer.local', 'private'],
      ['router.home.arpa', 'private'],
      ['example.com', undefined],
      ['notlocalhost.com', undefined],
      ['local.example.com', undefined],
      ['fade.cafe', undefined],
    ];
    for (const [name, kind] of names) assert.equal(kindOfHost(name), kind, name);
  });
});
