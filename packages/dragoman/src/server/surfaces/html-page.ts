import { createHash } from 'node:crypto'

import { html, raw } from 'hono/html'

/** What a template has made: what it was given is escaped. */
export type Markup = ReturnType<typeof html>

const STYLE = `
:root { color-scheme: light dark; font: 1rem/1.55 system-ui, sans-serif; scroll-padding-top: 1rem; }
body { max-width: 46rem; margin: 0 auto; padding: 2.5rem 1.25rem 4rem; }
h1 { margin: 0; font-size: 1.9rem; letter-spacing: -0.02em; }
h2 { margin: 2.2rem 0 0.3rem; font-size: 1.05rem; }
h3 { margin: 1.1rem 0 0.3rem; font-size: 0.9rem; }
p { margin: 0.3rem 0 0.6rem; }
a { color: inherit; text-underline-offset: 0.2em; }
.notice { padding: 0.6rem 1rem; border-left: 0.2rem solid #c27803; border-radius: 0.3rem;
  background: color-mix(in srgb, #c27803 12%, transparent); }
.quiet { color: color-mix(in srgb, currentcolor 65%, transparent); }
code, pre { font: 0.84rem/1.5 ui-monospace, monospace; overflow-wrap: anywhere; }
pre { margin: 0 0 0.6rem; padding: 0.9rem 1rem; white-space: pre-wrap; border-radius: 0.5rem;
  background: color-mix(in srgb, currentcolor 7%, transparent); }
nav ul { display: flex; flex-wrap: wrap; gap: 0.3rem 1.2rem; margin: 1rem 0 0; padding: 0; list-style: none; }
details { margin: 0.45rem 0; border: 1px solid color-mix(in srgb, currentcolor 16%, transparent);
  border-radius: 0.5rem; }
details > :not(summary) { margin-left: 0.9rem; margin-right: 0.9rem; }
summary { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 0.7rem; padding: 0.5rem 0.9rem;
  cursor: pointer; }
summary::before { content: '›'; width: 0.5rem; opacity: 0.65; }
details[open] > summary::before { transform: rotate(90deg); }
summary code { font-weight: 600; }
summary .verb { min-width: 3.6rem; }
summary .quiet { margin-left: auto; font-size: 0.9rem; }
:focus-visible { outline: 2px solid Highlight; outline-offset: 2px; border-radius: 0.3rem; }
dl { display: grid; grid-template-columns: minmax(7rem, max-content) 1fr; gap: 0.25rem 1rem;
  margin: 0.3rem 0 0.9rem; }
dd { margin: 0; }
@media (max-width: 32rem) {
  dl { grid-template-columns: 1fr; gap: 0; }
  dd { margin: 0 0 0.5rem 1rem; }
  summary .quiet { width: 100%; margin-left: 1.2rem; }
}
`

// The hash is of every letter between the tags.
const STYLE_ELEMENT = raw(`<style>${STYLE}</style>`)

/** Nothing is loaded, nothing runs, and no other style than ours counts. Developer tools may try the routes. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "connect-src 'self'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Headers of a page for people. */
export const PAGE_HEADERS = {
  'content-type': 'text/html; charset=UTF-8',
  'content-security-policy': CONTENT_SECURITY_POLICY,
} as const

type Page = { readonly title: string; readonly content: Markup }

/** A page without other files and scripts. */
export async function renderPage({ title, content }: Page): Promise<string> {
  return String(
    await html`<!doctype html>
      <html lang="en">
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        ${STYLE_ELEMENT} ${content}
      </html>`,
  )
}
