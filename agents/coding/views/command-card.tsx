import { visibleText } from '@dragoman/client/visible-text'
import type { ToolCardProps } from '@dragoman/console/view'
import { useEffect, useRef } from 'react'

import css from './command.css?inline'
import { recordOf, textOf } from './json-fields.ts'
import { textsIn, type Translate } from './texts.ts'

/** A command with its output, as a terminal shows it, also while it runs. */
export default function CommandCard({ input, output, state, progress, language }: ToolCardProps) {
  const t = textsIn(language)
  const { command, cwd } = recordOf(input)
  const outcome = recordOf(output)
  const text = state === 'returned' ? textOf(outcome['output']) : textOf(progress)
  return (
    <section className="coding-command">
      <style href="coding-command" precedence="low">
        {css}
      </style>
      <header>
        <span aria-hidden>{textOf(cwd)} $</span>
        <code>{visibleText(textOf(command))}</code>
      </header>
      {state !== 'waiting' && <Output command={textOf(command)} text={text} state={state} t={t} />}
      <footer>
        {state === 'returned' ? <Outcome outcome={outcome} t={t} /> : <Status state={state} t={t} />}
      </footer>
    </section>
  )
}

type OutputProps = {
  readonly command: string
  readonly text: string
  readonly state: ToolCardProps['state']
  readonly t: Translate
}

function Output({ command, text, state, t }: OutputProps) {
  const ref = useRef<HTMLPreElement>(null)
  const isRunning = state === 'running'
  useEffect(() => {
    if (isRunning && ref.current) ref.current.scrollTop = ref.current.scrollHeight
  }, [isRunning, text])
  if (text === '') return <p>{t(isRunning ? 'command.silent' : 'command.none')}</p>
  return (
    <pre
      ref={ref}
      tabIndex={0}
      role="region"
      aria-label={t('command.output', { command: command.slice(0, 80) })}
    >
      {text}
    </pre>
  )
}

function Status({ state, t }: Pick<OutputProps, 'state' | 't'>) {
  if (state === 'running')
    return (
      <span role="status">
        <span className="coding-pulse" aria-hidden />
        {t('command.running')}
      </span>
    )
  return state === 'waiting' ? <span>{t('command.waiting')}</span> : null
}

function Outcome({ outcome, t }: { readonly outcome: ReturnType<typeof recordOf>; readonly t: Translate }) {
  const { exitCode, timedOut, durationMs, truncated, sandboxed } = outcome
  const isGood = exitCode === 0 && timedOut !== true
  const seconds = (Number(durationMs) / 1000).toFixed(1)
  return (
    <>
      <strong className={isGood ? 'good' : 'bad'}>{endText(outcome, t)}</strong>
      <span>{t('seconds', { count: seconds })}</span>
      <span>{t(sandboxed === true ? 'command.sandbox' : 'command.noSandbox')}</span>
      {truncated === true && <span>{t('command.truncated')}</span>}
    </>
  )
}

function endText(outcome: ReturnType<typeof recordOf>, t: Translate): string {
  const { exitCode, signal, stopped, timedOut } = outcome
  if (typeof stopped === 'string') return t('command.stopped')
  if (timedOut === true) return t('command.timeout')
  if (typeof exitCode === 'number') return t('command.exit', { code: exitCode })
  return t('command.signal', { signal: textOf(signal) })
}
