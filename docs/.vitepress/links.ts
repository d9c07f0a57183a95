import { posix } from 'node:path'

import type { MarkdownRenderer } from 'vitepress'

/**
 * Turns links to files outside the site, such as `../../examples/next/README.md`, into plain text. They work where the
 * repository is browsed, and the site has no address for them.
 */
export function plainRepositoryLinks(md: MarkdownRenderer): void {
  md.core.ruler.push('repository-links', (state) => {
    const page: string = state.env.relativePath ?? ''
    for (const { children } of state.tokens) {
      let isOpen = false
      for (const token of children ?? []) {
        if (token.type === 'link_open' && leavesSite(page, String(token.attrGet('href')))) {
          isOpen = true
          clear(token)
        } else if (token.type === 'link_close' && isOpen) {
          isOpen = false
          clear(token)
        }
      }
    }
  })
}

function leavesSite(page: string, href: string): boolean {
  if (/^(?:[a-z]+:|[/#])/.test(href)) return false
  return posix.join(posix.dirname(page), href).startsWith('..')
}

function clear(token: { type: string; tag: string; attrs: unknown; nesting: number; content: string }): void {
  Object.assign(token, { type: 'text', tag: '', attrs: null, nesting: 0, content: '' })
}
