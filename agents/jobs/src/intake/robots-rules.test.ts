import { assert, property, stringMatching } from 'fast-check'
import { describe, expect, it } from 'vitest'

import { cpuMs } from '../../../../test/support/cpu-time.ts'
import { robotsRules } from './robots-rules.ts'

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
  ])('%j lets %s be fetched: %s', (text, path, allowed) => {
    expect(robotsRules(text, 'dragoman').allows(path)).toBe(allowed)
  })

  it.each([
    ['User-agent: *\nCrawl-delay: 5', 5000],
    ['User-agent: *\nCrawl-delay: 0.5\nDisallow: /a', 500],
    ['User-agent: *\nCrawl-delay: soon', 0],
    ['User-agent: *\nCrawl-delay: -3', 0],
    ['User-agent: *\nCrawl-delay: 5\nUser-agent: dragoman\nCrawl-delay: 9', 9000],
  ])('%j asks to wait %i ms', (text, delayMs) => {
    expect(robotsRules(text, 'dragoman').delayMs).toBe(delayMs)
  })

  it('without * and $ forbids exactly what begins with its rule', () => {
    const piece = stringMatching(/^[a-z0-9/._-]{0,20}$/)
    assert(
      property(piece, piece, (rule, path) => {
        const { allows } = robotsRules(`User-agent: *\nDisallow: /${rule}`, 'dragoman')

        expect(allows(`/${path}`)).toBe(!`/${path}`.startsWith(`/${rule}`) || path === 'robots.txt')
      }),
    )
  })

  it('is never more than a moment’s work', () => {
    const rules = `User-agent: *\n${`Disallow: /${'*a'.repeat(240)}b\n`.repeat(900)}`
    const { allows } = robotsRules(rules, 'dragoman')

    const cost = cpuMs(() => expect(allows(`/${'a'.repeat(8000)}`)).toBe(true))

    expect(cost).toBeLessThan(1000)
  })
})
