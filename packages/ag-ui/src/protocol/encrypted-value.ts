import { isJsonObject, type Json } from 'dragoman/events'
import type { Profile } from './ag-ui-view-options.ts'
import type { AgUiEventBody } from './wire.ts'

/** The names under which providers sign or encrypt what their model thought. */
const NAMES = /signature|encrypted|redacted/i

type Entity = { readonly subtype: 'message' | 'tool-call'; readonly entityId: string }

/** Clients before 1.0 refuse the event. */
export function encodeEncryptedValue(
  provider: Json | undefined,
  entity: Entity,
  profile: Profile,
): AgUiEventBody[] {
  const { encryptedValue } = encryptedField({ provider }, profile)
  return encryptedValue === undefined
    ? []
    : [{ type: 'REASONING_ENCRYPTED_VALUE', ...entity, encryptedValue }]
}

/** The same as a field of a message or a call. */
export function encryptedField(
  { provider }: { readonly provider?: Json | undefined },
  profile: Profile,
): { readonly encryptedValue?: string } {
  const value = profile === 'agui-1.0' ? findValue(provider) : undefined
  return value === undefined ? {} : { encryptedValue: value }
}

/** What a provider has signed or encrypted of a part, as its own data has it. */
function findValue(provider: Json | undefined): string | undefined {
  const metadata = isJsonObject(provider) ? provider['metadata'] : undefined
  if (!isJsonObject(metadata)) return undefined
  for (const own of Object.values(metadata).filter(isJsonObject)) {
    const [, value] = Object.entries(own).find(([name, each]) => NAMES.test(name) && isText(each)) ?? []
    if (isText(value)) return value
  }
  return undefined
}

function isText(value: Json | undefined): value is string {
  return typeof value === 'string' && value !== ''
}
