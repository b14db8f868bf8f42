import { describe, expect, it } from 'vitest';
import { RefusedTarget, Targets } from '../../gateway/webhooks/targets.ts';

const targets = new Targets([]);
const refusal = (url: string): string | undefined => {
  const target = targets.parse(url);
  return target instanceof RefusedTarget ? target.reason : undefined;
};

/** Ways to write an address that leads inside, or to somebody else than it seems. */
const INSIDE = [
  // Loopback, in every spelling that a resolver or a browser takes.
  'http://127.0.0.1/',
  'http://127.0.0.1:8080/x',
  'http://127.1/',
  'http://127.0.1/',
  'http://127.255.255.254/',
  'http://2130706433/',
  'http://017700000001/',
  'http://0x7f000001/',
  'http://0x7f.0.0.1/',
  'http://0x7f.1/',
  'http://0177.0.0.1/',
  'http://0177.0x0.00.1/',
  'http://127.0.0.1./',
  'http://127.0.0.1%2e/',
  'http://%31%32%37.0.0.1/',
  'http://\uff11\uff12\uff17.0.0.1/',
  'http://\u2460\u2461\u2466.0.0.1/',
  'http://127\u30020.0.1/',
  'http://localhost/',
  'http://LOCALHOST/',
  'http://localhost./',
  'http://a.localhost:8080/',
  'http://\uff4cocalhost/',
  'https://0/',
  'http://0.0.0.0/',
  'http://0.1.2.3/',
  // Private, shared, link-local with the metadata services of clouds, benchmarks, documentation.
  'http://10.0.0.1/',
  'http://10.255.255.255/',
  'http://167772161/',
  'http://012.0.0.1/',
  'http://172.16.0.1/',
  'http://172.31.255.255/',
  'http://192.168.0.1/',
  'http://192.168.257/',
  'http://0xc0a80001/',
  'http://100.64.0.1/',
  'http://100.127.255.255/',
  'http://169.254.169.254/latest/meta-data/',
  'http://2852039166/',
  'http://0xa9fea9fe/',
  'http://0251.0376.0251.0376/',
  'http://192.0.0.192/',
  'http://192.0.2.1/',
  'http://192.88.99.1/',
  'http://198.18.0.1/',
  'http://198.19.255.255/',
  'http://198.51.100.1/',
  'http://203.0.113.1/',
  'http://224.0.0.1/',
  'http://239.255.255.255/',
  'http://240.0.0.1/',
  'http://255.255.255.255/',
  // The same in IPv6: unspecified, loopback, mapped, compatible, translated, local, multicast.
  'http://[::]/',
  'http://[::1]/',
  'http://[0:0:0:0:0:0:0:1]/',
  'http://[0000::0001]:8080/',
  'http://[::127.0.0.1]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::ffff:7f00:1]/',
  'http://[::ffff:a9fe:a9fe]/',
  'http://[::ffff:8.8.8.8]/',
  'http://[::ffff:0:127.0.0.1]/',
  'http://[64:ff9b::7f00:1]/',
  'http://[64:ff9b::10.0.0.1]/',
  'http://[64:ff9b:1::a00:1]/',
  'http://[100::1]/',
  'http://[2001::1]/',
  'http://[2001:0:7f00:1::]/',
  'http://[2001:db8::1]/',
  'http://[2002:7f00:1::]/',
  'http://[2002:a9fe:a9fe::1]/',
  'http://[3fff::1]/',
  'http://[fc00::1]/',
  'http://[fd00:ec2::254]/',
  'http://[fe80::1]/',
  'http://[fec0::1]/',
  'http://[ff02::1]/',
];

const ODD = [
  ['file:///etc/passwd', /begin with/],
  ['gopher://example.com/', /begin with/],
  ['ftp://example.com/', /begin with/],
  ['ws://example.com/', /begin with/],
  ['data:text/plain,x', /begin with/],
  ['javascript:alert(1)', /begin with/],
  ['unix:///var/run/docker.sock', /begin with/],
  ['example.com/x', /no address/],
  ['http://', /no address/],
  ['http:///', /no address/],
  ['http://[fe80::1%25eth0]/', /no address/],
  ['http://1.2.3.4.5/', /no address/],
  ['http://256.1.1.1/', /no address/],
  ['http://exa mple.com/', /no address/],
  ['http://user:password@example.com/', /credentials/],
  ['http://user@example.com/', /credentials/],
  ['https://example.com:x@8.8.8.8/', /credentials/],
  ['http://8.8.8.8@127.0.0.1/', /credentials/],
  ['http://example.com:22/', /port/],
  ['http://example.com:25/', /port/],
  ['https://8.8.8.8:445/', /port/],
  ['http://example.com:0/', /port/],
] as const;

const OUTSIDE = [
  'https://example.com/callback',
  'http://example.com/',
  'https://example.com:8443/a/b?c=d#e',
  'https://xn--bcher-kva.example/',
  'https://b\u00fccher.example/',
  'http://8.8.8.8/',
  'http://172.15.255.255/',
  'http://172.32.0.1/',
  'http://100.128.0.1/',
  'http://[2606:4700:4700::1111]/',
  'https://[2a00:1450:4001:82b::200e]:9443/',
  // A name says nothing yet: where it leads is looked up when it is called.
  'http://localhost.example.com/',
  'http://127.0.0.1.example.com/',
];

describe('a callback address', () => {
  it('has a table worth the name', () => {
    expect(new Set([...INSIDE, ...ODD.map(([url]) => url)]).size).toBeGreaterThanOrEqual(90);
  });

  it.each(INSIDE)('may not lead inside: %s', (url) => {
    expect(refusal(url)).toMatch(/not public|no address/);
  });

  it.each(ODD)('is refused with the reason: %s', (url, reason) => {
    expect(refusal(url)).toMatch(reason);
  });

  it.each(OUTSIDE)('is taken where it is public: %s', (url) => {
    expect(refusal(url)).toBeUndefined();
  });

  it('inside is taken where the configuration says so, on any port, and nowhere else', () => {
    const some = new Targets(['127.0.0.0/8', 'fd00::/16']);
    for (const url of ['http://127.0.0.1:81/', 'http://0x7f.1/', 'http://[fd00::1]:81/']) {
      expect(some.parse(url), url).toBeInstanceOf(URL);
    }
    for (const url of ['http://10.0.0.1/', 'http://[::1]/', 'http://a@127.0.0.1/', 'http://0/']) {
      expect(some.parse(url), url).toBeInstanceOf(RefusedTarget);
    }
  });
});

describe('an address that a name leads to', () => {
  it.each([
    ['8.8.8.8', true],
    ['2606:4700::1', true],
    ['127.0.0.1', false],
    ['::1', false],
    ['::ffff:8.8.8.8', false],
    ['::ffff:10.0.0.1', false],
    ['169.254.169.254', false],
    ['fe80::1', false],
    ['fe80::1%eth0', false],
    ['fd00::1', false],
    ['64:ff9b::808:808', false],
    ['2002:808:808::1', false],
    ['', false],
    ['example.com', false],
    ['8.8.8.8.', false],
    ['0x08080808', false],
  ])('%s: %s', (address, isOpen) => {
    expect(targets.isOpen(address)).toBe(isOpen);
  });
});
