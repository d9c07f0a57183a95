import { visibleText } from '@dragoman/client/visible-text'

import type { Preview } from '../api/types.ts'
import { useTranslate } from '../i18n/translate.tsx'
import './call-preview.css'

/** What the call of a question would do, as its tool says. */
export function CallPreview({ preview }: { readonly preview: Preview }) {
  const { t } = useTranslate()
  const { title, format, text, isCut, problem } = preview
  const lines = text === '' ? [] : text.replace(/\n$/, '').split('\n')
  const isNew = format === 'diff' && lines[0] === '--- /dev/null'
  const visible = format === 'diff' ? lines.slice(headLength(lines)) : lines
  return (
    <div className="call-preview">
      <h4>{t('preview.heading')}</h4>
      {title !== undefined && (
        <div className="call-preview-title">
          <bdo dir="ltr">{visibleText(title)}</bdo>
          {isNew && <span className="call-preview-new">{t('preview.new')}</span>}
        </div>
      )}
      {visible.length > 0 && (
        <div className="call-preview-lines">
          {visible.map((line, index) => (
            <div key={index} className={format === 'diff' ? kindOf(line) : undefined}>
              <bdo dir="ltr">{visibleText(line) || '\u00a0'}</bdo>
            </div>
          ))}
        </div>
      )}
      {isCut && <p>{t('preview.cut')}</p>}
      {problem !== undefined && <p>{t('preview.problem', { problem: visibleText(problem) })}</p>}
      {text === '' && !isCut && problem === undefined && <p>{t('preview.same')}</p>}
    </div>
  )
}

/** The two names before the first hunk. The title has said them. */
function headLength([old = '', now = '']: readonly string[]): number {
  return old.startsWith('--- ') && now.startsWith('+++ ') ? 2 : 0
}

const KINDS: Readonly<Record<string, string>> = { '+': 'added', '-': 'removed', '@': 'place', '\\': 'place' }

function kindOf(line: string): string | undefined {
  return KINDS[line.charAt(0)]
}
