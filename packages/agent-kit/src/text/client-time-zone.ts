import { isJsonObject, type Json } from 'dragoman/events'

/** The time zone in which a client says that it is. AG-UI's clients say it in `forwardedProps`. */
export function clientTimeZone(context: Json): string | undefined {
  if (!isJsonObject(context)) return undefined
  const { forwardedProps: props = null } = context
  const all = { ...(isJsonObject(props) ? props : {}), ...context }
  const zones = [all['timeZone'], all['timezone'], all['time_zone']]
  return zones.find((zone): zone is string => typeof zone === 'string')
}
