//! What may have arrived is never called "not delivered".

use std::time::Duration;

use firstknock_policy::delivery::{Attempt, GaveUp, Hold, Next, NotSent, Pace, Tried, next};

use crate::{after, start};

const THREE_DAYS_MS: u64 = 3 * 24 * 3600 * 1000;

#[test]
fn whatever_ends_a_message_that_may_have_arrived_it_is_called_maybe_delivered() {
    let reply = String::new;
    let attempts = [
        Attempt::RecipientRefused { reply: reply() },
        Attempt::Rejected { reply: reply() },
        Attempt::NotSent { reason: NotSent::Connect, retry_after: None, words: reply() },
        Attempt::NotSent {
            reason: NotSent::TooMany,
            retry_after: Some(Duration::from_secs(99 * 3600)),
            words: reply(),
        },
        Attempt::Greylisted { reply: reply() },
        Attempt::Busy { reply: reply() },
        Attempt::AccountHeld { hold: Hold::Auth, reply: reply() },
    ];
    let now = after(THREE_DAYS_MS);
    for attempt in attempts {
        let step = |unknowns| {
            let tried = Tried { attempts: 3, unknowns, first_tried: start(), last_wait: None };
            next(&attempt, &tried, &Pace::MAIL, now, 0.5)
        };
        let ended: Next = step(0);
        assert!(matches!(ended, Next::GivenUp { why: _ }), "{attempt:?}: {ended:?}");
        assert_eq!(step(1), Next::MaybeDelivered, "{attempt:?}");
    }
    let young = Tried { attempts: 1, unknowns: 0, first_tried: now, last_wait: None };
    let refused = Attempt::Rejected { reply: reply() };
    assert_eq!(
        next(&refused, &young, &Pace::MAIL, now, 0.5),
        Next::GivenUp { why: GaveUp::Rejected }
    );
}
