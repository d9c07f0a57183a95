import { z } from 'zod'

const TIMEOUT_MS = 1000
const MAX_MODELS = 200

const listSchema = z.object({ data: z.array(z.object({ id: z.string() })) })

/** The models that a program on this machine offers, such as Ollama. Undefined if it is not running. */
export async function listLocalModels(address: string): Promise<readonly string[] | undefined> {
  try {
    const response = await fetch(`${address}/models`, {
      signal: AbortSignal.timeout(TIMEOUT_MS),
      redirect: 'error',
    })
    const parsed = listSchema.safeParse(await response.json())
    return parsed.success ? parsed.data.data.slice(0, MAX_MODELS).map(({ id }) => id) : undefined
  } catch {
    // Nothing listens there, or it is something else.
    return undefined
  }
}
