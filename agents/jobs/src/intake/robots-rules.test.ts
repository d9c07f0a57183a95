import { assert, property, stringMatching } from 'fast-check'
import { describe, expect, it } from 'vitest'

import { cpuMs } from '../../../../test/support/cpu-time.ts'
import { readRobots } from './robots-rules.ts'

describe('a robots.txt', () => {
  it.each([
    ['', '/a', true],
    ['User-agent: *\nDisallow:', '/a', true],
    ['User-agent: *\nDisallow: /', '/a', false],
    ['User-agent: *\nDisallow: /', '/robots.txt', true],
    ['user-agent:*\ndisallow:/jobs', '/jobs/1', false],
    ['User-agent: *\nDisallow: /jobs', '/careers', true],
    ['User-agent: *\nDisallow: /Jobs', '/jobs', true],
    ['User-agent: *\nDisallow: /jobs/\nAllow: /jobs/view/', '/jobs/view/1', true],
    ['User-agent: *\nAllow: /jobs/view/\nDisallow: /jobs/', '/jobs/list', false],
    ['User-agent: *\nDisallow: /page\nAllow: /page', '/page', true],
    ['User-agent: *\nDisallow: /*.pdf$', '/a/b.pdf', false],
    ['User-agent: *\nDisallow: /*.pdf$', '/a/b.pdf?x=1', true],
    ['User-agent: *\nDisallow: /*?*sort=', '/jobs?a=1&sort=2', false],
    ['User-agent: *\nDisallow: /a*$', '/abc', false],
    ['User-agent: *\nDisallow: /jobs$', '/jobs/1', true],
    ['User-agent: *\nDisallow: /a*b*a$', '/aba', false],
    ['User-agent: *\nDisallow: /aba*ba$', '/aba', true],
    ['User-agent: dragoman\nDisallow: /\n\nUser-agent: *\nDisallow:', '/a', false],
    ['User-agent: Dragoman/1.0\nDisallow:\n\nUser-agent: *\nDisallow: /', '/a', true],
    ['User-agent: dragomanbot\nDisallow: /', '/a', true],
    ['User-agent: other\nUser-agent: dragoman\nDisallow: /a', '/a', false],
    [
      'User-agent: dragoman\nDisallow: /a\nUser-agent: other\nDisallow: /b\nUser-agent: dragoman\nDisallow: /c',
      '/c',
      false,
    ],
    ['User-agent: dragoman\nCrawl-delay: 1\nUser-agent: other\nDisallow: /', '/a', true],
    ['\uFEFFUser-agent: *\r\nDisallow: /a # not this\r\n', '/a', false],
    ['Sitemap: https://a.example/x\nDisallow: /', '/a', true],
    ['User-agent: *\nSitemap: x\nDisallow: /', '/a', false],
    ['User-agent: *\nDisallow: /职位', '/%e8%81%8c%E4%BD%8D/1', false],
    ['User-agent: *\nDisallow: /%7Eada', '/~ada', false],
    ['<!doctype html><html>Not found</html>', '/a', true],
  ])('%j allows %s: %s', (text, path, allowed) => {
    expect(readRobots(text, 'dragoman', path).allows).toBe(allowed)
  })

  it.each([
    ['User-agent: *\nCrawl-delay: 5', 5000],
    ['User-agent: *\nCrawl-delay: 0.5\nDisallow: /a', 500],
    ['User-agent: *\nCrawl-delay: soon', 0],
    ['User-agent: *\nCrawl-delay: -3', 0],
    ['User-agent: *\nCrawl-delay: 5\nUser-agent: dragoman\nCrawl-delay: 9', 9000],
  ])('%j asks for a pause of %i ms', (text, delayMs) => {
    expect(readRobots(text, 'dragoman', '/').delayMs).toBe(delayMs)
  })

  it('without * and $ forbids exactly the paths that begin with its rule', () => {
    const piece = stringMatching(/^[a-z0-9/._-]{0,20}$/)
    assert(
      property(piece, piece, (rule, path) => {
        const { allows } = readRobots(`User-agent: *\nDisallow: /${rule}`, 'dragoman', `/${path}`)

        expect(allows).toBe(!`/${path}`.startsWith(`/${rule}`) || path === 'robots.txt')
      }),
    )
  })

  it('is read within a second, whatever its patterns', () => {
    const rules = `User-agent: *\n${`Disallow: /${'*a'.repeat(240)}b\n`.repeat(900)}`
    const path = `/${'a'.repeat(8000)}`

    const cost = cpuMs(() => expect(readRobots(rules, 'dragoman', path).allows).toBe(true))

    expect(cost).toBeLessThan(1000)
  })
})
