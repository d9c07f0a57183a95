import type { ToolCardProps } from '@dragoman/console/view'

import { CardText } from './card-text.tsx'

type QuestionOutput = {
  readonly cardType: 'question'
  readonly question: string
  readonly options: readonly string[]
}

/** A question with a few answers to choose from. */
export default function ChoiceCard({ output, send }: ToolCardProps) {
  if (!isQuestion(output)) return <CardText output={output} />
  return (
    <div>
      <p>{output.question}</p>
      <div className="question-actions">
        {output.options.map((option) => (
          <button
            key={option}
            type="button"
            className="button"
            disabled={!send}
            onClick={() => send?.(option)}
          >
            {option}
          </button>
        ))}
      </div>
    </div>
  )
}

function isQuestion(output: unknown): output is QuestionOutput {
  return (
    typeof output === 'object' && output !== null && 'cardType' in output && output.cardType === 'question'
  )
}
