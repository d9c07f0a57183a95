import { visibleText } from '@dragoman/client/visible-text'
import type { ToolCardProps } from '@dragoman/console/view'
import { FileDiff, FilePen, FilePlus } from 'lucide-react'

import { DiffStyle, DiffView, LineCounts } from './diff-view.tsx'
import { addedLines, parseDiff } from './parse-diff.ts'
import { recordOf, textOf } from './json-fields.ts'
import { textsIn, type Translate } from './texts.ts'

/** What a tool has changed in a file, or how two files differ. */
export default function EditCard({ tool, input, output, language }: ToolCardProps) {
  const t = textsIn(language)
  return tool === 'diff' ? (
    <Comparison output={recordOf(output)} t={t} />
  ) : (
    <Edit input={recordOf(input)} output={recordOf(output)} t={t} />
  )
}

type Fields = ReturnType<typeof recordOf>

function Edit({
  input,
  output,
  t,
}: {
  readonly input: Fields
  readonly output: Fields
  readonly t: Translate
}) {
  const path = visibleText(textOf(output['path']))
  const isNew = output['created'] === true
  const lines = isNew
    ? addedLines(textOf(input['content'] ?? input['new_string']))
    : parseDiff(textOf(output['diff']))
  const added = isNew ? lines.length : Number(output['added'])
  const removed = isNew ? 0 : Number(output['removed'])
  const Icon = isNew ? FilePlus : FilePen
  return (
    <section className="coding-edit">
      <DiffStyle />
      <header className="coding-head">
        <Icon size={16} aria-hidden />
        <strong>{path}</strong>
        {isNew && <span className="coding-badge created">{t('state.created')}</span>}
        <LineCounts added={added} removed={removed} t={t} />
      </header>
      {lines.length > 0 && <DiffView path={path} lines={lines} isCut={output['truncated'] === true} t={t} />}
      {lines.length === 0 && !isNew && (
        <p className="coding-note">{t(added + removed === 0 ? 'diff.same' : 'diff.cut')}</p>
      )}
    </section>
  )
}

function Comparison({ output, t }: { readonly output: Fields; readonly t: Translate }) {
  const path = visibleText(`${textOf(output['fileA'])} → ${textOf(output['fileB'])}`)
  const lines = parseDiff(textOf(output['diff']))
  return (
    <section className="coding-edit">
      <DiffStyle />
      <header className="coding-head">
        <FileDiff size={16} aria-hidden />
        <strong>{path}</strong>
        <LineCounts added={Number(output['added'] ?? 0)} removed={Number(output['removed'] ?? 0)} t={t} />
      </header>
      {lines.length > 0 ? (
        <DiffView path={path} lines={lines} isCut={output['truncated'] === true} t={t} />
      ) : (
        <p className="coding-note">{t(output['equal'] === true ? 'diff.equal' : 'diff.binary')}</p>
      )}
    </section>
  )
}
