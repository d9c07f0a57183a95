const channel = new BroadcastChannel('dragoman')

/** Tells the other tabs of this browser that data of an agent has changed, of which the server does not tell. */
export function announceChange(): void {
  channel.postMessage('changed')
}

/** Calls back when another tab has changed something. */
export function onChangeElsewhere(act: () => void): void {
  channel.addEventListener('message', act)
}
