import { useEffect, useState } from 'react'

import { CopyButton } from '../ui/copy-button.tsx'
import type { CodeToken } from './highlight.ts'

type CodeBlockProps = { readonly code: string; readonly language: string | undefined }

/** Code with colors, once the highlighter is there. */
export function CodeBlock({ code, language }: CodeBlockProps) {
  const [lines, setLines] = useState<readonly (readonly CodeToken[])[]>()
  useEffect(() => {
    if (language === undefined) return undefined
    const state = { isCurrent: true }
    void import('./highlight.ts')
      .then(({ highlight }) => highlight(code, language))
      .then((tokens) => state.isCurrent && setLines(tokens))
    return () => {
      state.isCurrent = false
    }
  }, [code, language])
  return (
    <figure className="code-block">
      <figcaption>
        <span>{language ?? ''}</span>
        <CopyButton text={code} />
      </figcaption>
      <pre tabIndex={0}>
        <code>{lines && textOf(lines) === code ? lines.map(renderLine) : code}</code>
      </pre>
    </figure>
  )
}

/** The colors of a moment ago must not hide letters that have come since. */
function textOf(lines: readonly (readonly CodeToken[])[]): string {
  return lines.map((tokens) => tokens.map(({ content }) => content).join('')).join('\n')
}

function renderLine(tokens: readonly CodeToken[], line: number, lines: readonly unknown[]) {
  return (
    <span key={line}>
      {tokens.map(({ content, style }, index) => (
        <span key={index} style={style}>
          {content}
        </span>
      ))}
      {line < lines.length - 1 && '\n'}
    </span>
  )
}
