/** A host as people say it: without the "www." that all of them carry. */
export function shortHost(host: string): string {
  return host.replace(/^www\./, '');
}
