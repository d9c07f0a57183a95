import { useEffect, useState } from 'react'

import { CopyButton } from '../ui/copy-button.tsx'
import { colorsOf, type CodeToken } from './code-colors.ts'

type CodeBlockProps = { readonly code: string; readonly language: string | undefined }

/** Code with colors, once a worker has found them. */
export function CodeBlock({ code, language }: CodeBlockProps) {
  const [lines, setLines] = useState<readonly (readonly CodeToken[])[]>()
  useEffect(() => {
    if (language === undefined) return undefined
    const replaced = new AbortController()
    const color = async (): Promise<void> => {
      const colored = await colorsOf({ code, language }, replaced.signal)
      if (!replaced.signal.aborted) setLines(colored)
    }
    void color()
    return () => replaced.abort()
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
