// Which network addresses are not public: this machine, private networks, and what can stand for them.
import { BlockList, isIPv6 } from 'node:net'

// Two lists: a single one would also check IPv4 addresses as IPv4-mapped IPv6.
const [four, six] = [new BlockList(), new BlockList()]
for (const [net, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const)
  four.addSubnet(net, bits, 'ipv4')
// Only 2000::/3 is allocated; within it, ranges that embed IPv4 addresses could lead
// back to private networks.
for (const [net, bits] of [
  ['::', 3],
  ['4000::', 2],
  ['8000::', 1],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
] as const)
  six.addSubnet(net, bits, 'ipv6')

export const isPrivate = (address: string): boolean =>
  isIPv6(address) ? six.check(address, 'ipv6') : four.check(address, 'ipv4')
