// A price history as steps: 64 by 20, the newest at the right.

import type { PriceStep } from '../../backend/bindings';

export type Spark = { path: string; x: number; y: number };

export function spark(prices: readonly PriceStep[], now: number): Spark | null {
  const first = prices[0];
  const last = prices[prices.length - 1];
  if (!first || !last || prices.length < 2) return null;
  const amounts = prices.map((step) => step.amount);
  const low = Math.min(...amounts);
  const span = Math.max(...amounts) - low || 1;
  const time = Math.max(1, now - first.at);
  const x = (at: number) => Math.round((1 + ((at - first.at) / time) * 58) * 10) / 10;
  const y = (amount: number) => Math.round((17 - ((amount - low) / span) * 14) * 10) / 10;
  const steps = prices.slice(1).map((step) => `H${x(step.at)}V${y(step.amount)}`);
  return { path: `M1 ${y(first.amount)}${steps.join('')}H61`, x: 61, y: y(last.amount) };
}
