import type { Analysis } from '../../src/judging/analysis.ts'
import type { Prescore } from '../../src/judging/prescore.ts'
import type { Details } from '../../src/postings/details.ts'
import { Score } from '../board/score.tsx'
import { usePage } from '../page-context.ts'
import { PageLink, Problem, Section } from '../page-parts.tsx'
import { NeedsModel } from '../needs-model.tsx'
import { useAction } from '../use-action.ts'
import { useHasModel } from '../use-model.ts'

const SIGNS = { yes: '✓', partly: '~', no: '✗', unknown: '?' } as const

type MatchProps = {
  readonly jobId: number
  readonly hasText: boolean
  readonly analysis: Details['analysis']
}

/** How a posting fits the default resume, line by line: by rules, and by a model if the user asks for it. */
export function Match({ jobId, hasText, analysis }: MatchProps) {
  const { t, kit, language } = usePage()
  const path = `/jobs/${jobId}/prescore?language=${language === 'zh' ? 'zh' : 'en'}`
  const { data, error } = kit.useJson<Prescore>(hasText ? path : undefined)
  if (!hasText) return null
  return (
    <Section title={t('match.title')} actions={data?.score != null && <Score value={data.score} />}>
      {error && (
        <p className="notice">
          {t('match.needsResume')} <PageLink to="resumes">{t('tab.resumes')}</PageLink>
        </p>
      )}
      {data?.note != null && <p className="quiet">{data.note}</p>}
      {data && <Parts prescore={data} />}
      {data && <Skills prescore={data} />}
      <Judgement jobId={jobId} analysis={analysis} />
    </Section>
  )
}

/** What is weighed, with its reason and the words of the posting. */
function Parts({ prescore: { parts } }: { readonly prescore: Prescore }) {
  const { t } = usePage()
  return (
    <ul className="jobs-match">
      {parts.map(({ kind, met, says, quote, blocks }, index) => (
        <li key={`${kind} ${index}`} data-met={blocks ? 'no' : met}>
          <span className="jobs-sign" role="img" aria-label={t(`met.${met}`)}>
            {SIGNS[met]}
          </span>
          <div>
            <strong>{t(`match.${kind}`)}</strong> {says}
            {blocks && <em> {t('match.blocks')}</em>}
            {quote !== null && <blockquote>{withoutBullet(quote)}</blockquote>}
          </div>
        </li>
      ))}
    </ul>
  )
}

/** Requirements are items of lists. */
function withoutBullet(quote: string): string {
  return quote.replace(/^\\?[-*•]\s+/, '')
}

function Skills({ prescore: { skills } }: { readonly prescore: Prescore }) {
  const { t } = usePage()
  if (skills.length === 0) return null
  return (
    <ul className="jobs-skills" aria-label={t('match.skills')}>
      {skills.map(({ skill, found, need, quote }) => (
        <li key={skill} data-found={found} title={quote}>
          <span aria-hidden>{found ? '✓ ' : ''}</span>
          {skill}
          <span className="visually-hidden"> {t(found ? 'match.found' : 'match.notFound')}</span>
          {need === 'required' && !found && <span> · {t('match.required')}</span>}
        </li>
      ))}
    </ul>
  )
}

type JudgementProps = { readonly jobId: number; readonly analysis: Details['analysis'] }

/** What a model finds: each requirement with its words in the posting and its evidence in the resume. */
function Judgement({ jobId, analysis }: JudgementProps) {
  const { t, kit, language } = usePage()
  const { isBusy, error, run } = useAction()
  const hasModel = useHasModel()
  const judge = (): void =>
    void run(async () => {
      const body = { language: language === 'zh' ? 'zh' : 'en', forceRefresh: analysis !== null }
      await kit.request(`/jobs/${jobId}/analyze`, { body })
      await kit.refresh('/jobs')
    })
  return (
    <div className="jobs-judgement">
      {analysis && <Requirements analysis={analysis as unknown as Analysis} />}
      <button type="button" className="button" disabled={isBusy || !hasModel} onClick={judge}>
        {isBusy ? t('match.judging') : analysis ? t('match.judgeAgain') : t('match.judge')}
      </button>
      {!hasModel && <NeedsModel />}
      <Problem message={error} />
    </div>
  )
}

function Requirements({ analysis }: { readonly analysis: Analysis }) {
  const { t } = usePage()
  const { overallScore, summary, requirements, suggestions, redFlags } = analysis
  return (
    <>
      <p>
        <Score value={overallScore} /> {summary}
      </p>
      <ul className="jobs-match">
        {requirements.map(({ requirement, met, quote, evidence, importance }) => (
          <li key={requirement} data-met={met}>
            <span className="jobs-sign" role="img" aria-label={t(`met.${met}`)}>
              {SIGNS[met]}
            </span>
            <div>
              {requirement} {importance === 'nice' && <em>{t('match.niceToHave')}</em>}
              {quote !== null && <blockquote>{quote}</blockquote>}
              <p className="quiet">
                {evidence === null ? t('match.noEvidence') : t('match.evidence', { evidence })}
              </p>
            </div>
          </li>
        ))}
      </ul>
      <Points title={t('match.suggestions')} points={suggestions} />
      <Points title={t('match.redFlags')} points={redFlags} />
    </>
  )
}

function Points({ title, points }: { readonly title: string; readonly points: readonly string[] }) {
  if (points.length === 0) return null
  return (
    <>
      <h3>{title}</h3>
      <ul>
        {points.map((point) => (
          <li key={point}>{point}</li>
        ))}
      </ul>
    </>
  )
}
