import type { AttackKind } from '../attack.ts'
import { connectionKinds } from './connections.ts'
import { jobsKinds } from './jobs.ts'
import { readerKinds } from './readers.ts'
import { requestKinds } from './requests.ts'
import { runKinds } from './runs.ts'
import { socketKinds } from './sockets.ts'
import { strangerKinds } from './strangers.ts'

/** All ways to harm others that are measured. */
export const kinds: readonly AttackKind[] = [
  ...connectionKinds,
  ...strangerKinds,
  ...socketKinds,
  ...readerKinds,
  ...requestKinds,
  ...jobsKinds,
  ...runKinds,
]
