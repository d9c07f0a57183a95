import { createHighlighterCore, type LanguageInput } from 'shiki/core'
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript'

import type { CodeToken, ColorRequest } from './code-colors.ts'

/** Longer lines have no colors, nor has the rest of a line that takes longer. */
const MAX_LINE_CHARACTERS = 1000
const MAX_LINE_MS = 200
/** In the first code of a language, its grammar is compiled as well. */
const MAX_FIRST_LINE_MS = 5000

/** The languages that models write most, by the names that they use. */
const grammars: Readonly<Record<string, () => LanguageInput>> = {
  bash: () => import('shiki/langs/bash.mjs'),
  c: () => import('shiki/langs/c.mjs'),
  csharp: () => import('shiki/langs/csharp.mjs'),
  css: () => import('shiki/langs/css.mjs'),
  diff: () => import('shiki/langs/diff.mjs'),
  docker: () => import('shiki/langs/docker.mjs'),
  go: () => import('shiki/langs/go.mjs'),
  html: () => import('shiki/langs/html.mjs'),
  java: () => import('shiki/langs/java.mjs'),
  javascript: () => import('shiki/langs/javascript.mjs'),
  json: () => import('shiki/langs/json.mjs'),
  jsx: () => import('shiki/langs/jsx.mjs'),
  kotlin: () => import('shiki/langs/kotlin.mjs'),
  markdown: () => import('shiki/langs/markdown.mjs'),
  php: () => import('shiki/langs/php.mjs'),
  python: () => import('shiki/langs/python.mjs'),
  ruby: () => import('shiki/langs/ruby.mjs'),
  rust: () => import('shiki/langs/rust.mjs'),
  sql: () => import('shiki/langs/sql.mjs'),
  swift: () => import('shiki/langs/swift.mjs'),
  toml: () => import('shiki/langs/toml.mjs'),
  tsx: () => import('shiki/langs/tsx.mjs'),
  typescript: () => import('shiki/langs/typescript.mjs'),
  xml: () => import('shiki/langs/xml.mjs'),
  yaml: () => import('shiki/langs/yaml.mjs'),
}

const aliases: Readonly<Record<string, string>> = {
  'c#': 'csharp',
  // The grammar of C++ alone is as large as ten others.
  'c++': 'c',
  cpp: 'c',
  dockerfile: 'docker',
  js: 'javascript',
  md: 'markdown',
  py: 'python',
  rb: 'ruby',
  rs: 'rust',
  sh: 'bash',
  shell: 'bash',
  ts: 'typescript',
  yml: 'yaml',
  zsh: 'bash',
}

const highlighter = createHighlighterCore({
  themes: [
    import('shiki/themes/github-light-high-contrast.mjs'),
    import('shiki/themes/github-dark-high-contrast.mjs'),
  ],
  langs: [],
  engine: createJavaScriptRegexEngine({ forgiving: true }),
})

/** Languages that have colored code. */
const compiled = new Set<string>()

/** The tokens of each line. Undefined for a language without a grammar. */
async function highlight({ code, language }: ColorRequest): Promise<CodeToken[][] | undefined> {
  const lang = aliases[language.toLowerCase()] ?? language.toLowerCase()
  const load = Object.hasOwn(grammars, lang) ? grammars[lang] : undefined
  if (!load) return undefined
  const { codeToTokens, loadLanguage } = await highlighter
  await loadLanguage(load())
  const { tokens } = codeToTokens(code, {
    lang,
    themes: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    defaultColor: 'light-dark()',
    tokenizeMaxLineLength: MAX_LINE_CHARACTERS,
    tokenizeTimeLimit: compiled.has(lang) ? MAX_LINE_MS : MAX_FIRST_LINE_MS,
  })
  compiled.add(lang)
  return tokens.map((line) => line.map(({ content, htmlStyle }) => ({ content, style: htmlStyle ?? {} })))
}

async function answer(request: ColorRequest): Promise<void> {
  // The page hears of an error, but not of a rejection.
  postMessage(await highlight(request).catch(() => undefined))
}

addEventListener('message', ({ data }: MessageEvent<ColorRequest>) => void answer(data))
