/** A call that waits for an answer. Only its run's log decides whether it is still open. */
export type QuestionRow = {
  call_id: string
  run_id: string
  conversation_id: string
  user_id: string
  agent: string
  tool: string
  input: string
  kind: string
  asked_at: string
  expires_at: string | null
  message: string | null
  schema: string | null
  preview: string | null
}
