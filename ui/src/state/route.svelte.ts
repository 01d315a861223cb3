// Where the window is. The hash is the address, so that Back works and a link can name a place.

export type View = 'searches' | 'add' | 'edit' | 'listings' | 'insight' | 'settings' | 'help';

export type Route = { view: View; part: string; query: URLSearchParams };

const VIEWS: readonly View[] = ['searches', 'add', 'edit', 'listings', 'insight', 'settings', 'help'];

export function parseRoute(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2);
  const [name = '', part = ''] = path.split('/', 2);
  const view = VIEWS.find((v) => v === name) ?? 'searches';
  return { view, part: decodeURIComponent(part), query: new URLSearchParams(query) };
}

class Router {
  #route = $state.raw<Route>(parseRoute(typeof location === 'undefined' ? '' : location.hash));

  get route(): Route {
    return this.#route;
  }

  start(): () => void {
    const read = () => {
      const { view, part, query } = this.#route;
      const next = parseRoute(location.hash);
      if (next.view !== view || next.part !== part || next.query.toString() !== query.toString()) this.#route = next;
    };
    window.addEventListener('hashchange', read);
    read();
    return () => window.removeEventListener('hashchange', read);
  }

  go(to: string): void {
    // At once, not with the event that follows: the next key belongs to the new view already.
    this.#route = parseRoute(`#/${to}`);
    location.hash = `/${to}`;
  }
}

export const router = new Router();
