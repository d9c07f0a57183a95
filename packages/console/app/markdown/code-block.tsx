import { Code2, Eye } from 'lucide-react'
import { lazy, Suspense, useCallback, useEffect, useState } from 'react'

import { useTranslate } from '../i18n/translate.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { colorsOf, type CodeToken } from './code-colors.ts'

const Diagram = lazy(() => import('./diagram.tsx').then(({ Diagram: view }) => ({ default: view })))
const Sandbox = lazy(() => import('./sandbox.tsx').then(({ Sandbox: view }) => ({ default: view })))

type CodeProps = { readonly code: string; readonly language: string | undefined }
type CodeBlockProps = CodeProps & {
  /** Whether more of it may come: until then it is shown as code alone. */
  readonly isGrowing?: boolean
}

/** Code with its colors, or what it makes: a diagram, or a page in a sandbox if the user wants to see it. */
export function CodeBlock({ code, language, isGrowing = false }: CodeBlockProps) {
  const { t } = useTranslate()
  const isDiagram = language?.toLowerCase() === 'mermaid'
  const isPage =
    /^(?:html|svg)$/i.test(language ?? '') || (/^xml$/i.test(language ?? '') && /^\s*<svg[\s>]/i.test(code))
  const [isViewed, setViewed] = useState(isDiagram)
  const [failure, setFailure] = useState<{ readonly code: string; readonly reason: string }>()
  const onFailure = useCallback((reason: string) => setFailure({ code, reason }), [code])
  const reason = failure?.code === code ? failure.reason : undefined
  const canView = !isGrowing && reason === undefined && (isDiagram || isPage)
  const isView = canView && isViewed
  return (
    <figure className="code-block" dir="ltr">
      <figcaption>
        <span>{language ?? ''}</span>
        <span className="code-actions">
          {canView && (
            <button type="button" className="button small" onClick={() => setViewed(!isViewed)}>
              {isView ? <Code2 size={14} aria-hidden /> : <Eye size={14} aria-hidden />}
              {t(isView ? 'markdown.code' : 'markdown.preview')}
            </button>
          )}
          <CopyButton text={code} />
        </span>
      </figcaption>
      {reason !== undefined && <p className="code-failure">{t('markdown.noDiagram', { reason })}</p>}
      {isView ? (
        <Suspense>
          {isDiagram ? (
            <Diagram source={code} onFailure={onFailure} />
          ) : (
            <Sandbox html={code} title={t('markdown.preview')} />
          )}
        </Suspense>
      ) : (
        <ColoredCode code={code} language={language} />
      )}
    </figure>
  )
}

/** Code with colors, once a worker has found them. */
function ColoredCode({ code, language }: CodeProps) {
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
    <pre tabIndex={0}>
      <code>{lines && textOf(lines) === code ? lines.map(renderLine) : code}</code>
    </pre>
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
