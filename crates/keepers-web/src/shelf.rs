//! A shelf of things that take long to make: each is made once and shared, the least used make room.

use std::hash::Hash;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use crate::task::{Task, lock};

/// Things by key, up to so many bytes in all; one is kept however large it is.
pub struct Shelf<K, T> {
    most: usize,
    /// The one that was used last stands last.
    places: Mutex<Vec<(K, Arc<Place<T>>)>>,
}

struct Place<T> {
    state: Mutex<State<T>>,
    changed: Condvar,
}

enum State<T> {
    Empty,
    Making(Arc<Task>),
    Ready(Arc<T>, usize),
}

impl<K: Hash + Eq + Clone, T> Shelf<K, T> {
    /// A shelf for so many bytes.
    pub fn new(most: usize) -> Shelf<K, T> {
        Shelf { most, places: Mutex::new(Vec::new()) }
    }

    /// What is there under a key.
    pub fn ready(&self, key: &K) -> Option<Arc<T>> {
        let mut places = lock(&self.places);
        let at = places.iter().position(|(known, _)| known == key)?;
        let found = match &*lock(&places[at].1.state) {
            State::Ready(thing, _) => Some(Arc::clone(thing)),
            State::Empty | State::Making(_) => None,
        };
        if at + 1 < places.len() {
            let place = places.remove(at);
            places.push(place);
        }
        found
    }

    /// Whatever is there that will do, the one that was used last first.
    pub fn find(&self, mut will_do: impl FnMut(&K, &T) -> bool) -> Option<Arc<T>> {
        let places = lock(&self.places);
        places.iter().rev().find_map(|(key, place)| match &*lock(&place.state) {
            State::Ready(thing, _) if will_do(key, thing) => Some(Arc::clone(thing)),
            _ => None,
        })
    }

    /// What is there under a key, or made now. Whoever comes while it is being made waits for it.
    /// `make` also says how many bytes it takes.
    pub fn get<E>(
        &self,
        key: &K,
        task: &Arc<Task>,
        make: impl FnOnce() -> Result<(Arc<T>, usize), E>,
    ) -> Result<Arc<T>, E> {
        let place = self.place(key);
        if let Some(thing) = place.claim(task) {
            return Ok(thing);
        }
        // Should making it fail or unwind, the next in line may try.
        let claim = Claim(&place);
        let (thing, bytes) = make()?;
        *lock(&place.state) = State::Ready(Arc::clone(&thing), bytes);
        drop(claim);
        self.make_room();
        Ok(thing)
    }

    fn place(&self, key: &K) -> Arc<Place<T>> {
        let mut places = lock(&self.places);
        if let Some(at) = places.iter().position(|(known, _)| known == key) {
            let known = places.remove(at);
            places.push(known);
        } else {
            let place = Place { state: Mutex::new(State::Empty), changed: Condvar::new() };
            places.push((key.clone(), Arc::new(place)));
        }
        Arc::clone(&places[places.len() - 1].1)
    }

    fn make_room(&self) {
        let mut places = lock(&self.places);
        let bytes = |place: &Place<T>| match &*lock(&place.state) {
            State::Ready(_, bytes) => Some(*bytes),
            State::Empty => Some(0),
            State::Making(_) => None,
        };
        let mut all: usize = places.iter().filter_map(|(_, place)| bytes(place)).sum();
        while all > self.most || places.len() > 256 {
            let last = places.len() - 1;
            let Some(at) = places[..last].iter().position(|(_, place)| bytes(place).is_some()) else {
                return;
            };
            all -= bytes(&places.remove(at).1).unwrap_or(0);
        }
    }
}

impl<T> Place<T> {
    /// What is there, after waiting for whoever makes it; nothing if it is now the caller's to make.
    fn claim(&self, task: &Arc<Task>) -> Option<Arc<T>> {
        const BETWEEN_LOOKS: Duration = Duration::from_millis(50);
        loop {
            let maker = {
                let mut state = lock(&self.state);
                match &*state {
                    State::Ready(thing, _) => return Some(Arc::clone(thing)),
                    State::Empty => {
                        *state = State::Making(Arc::clone(task));
                        return None;
                    }
                    State::Making(maker) => Arc::clone(maker),
                }
            };
            // Should whoever makes it be given up, it is made all the same.
            let _wanted = maker.want();
            while self.is_made_by(&maker) {
                task.let_others_work(|| {
                    let state = lock(&self.state);
                    if matches!(*state, State::Making(_)) {
                        let waited = self.changed.wait_timeout(state, BETWEEN_LOOKS);
                        drop(waited.unwrap_or_else(PoisonError::into_inner));
                    }
                });
                task.follow(&maker);
                task.check();
            }
        }
    }

    fn is_made_by(&self, maker: &Arc<Task>) -> bool {
        matches!(&*lock(&self.state), State::Making(now) if Arc::ptr_eq(now, maker))
    }
}

/// Whoever makes a thing.
struct Claim<'a, T>(&'a Place<T>);

impl<T> Drop for Claim<'_, T> {
    fn drop(&mut self) {
        let mut state = lock(&self.0.state);
        if matches!(*state, State::Making(_)) {
            *state = State::Empty;
        }
        drop(state);
        self.0.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;
    use crate::task::Places;

    #[test]
    fn what_others_wait_for_is_made_though_its_maker_is_given_up() {
        let places = Arc::new(Places::new(2));
        let [maker, other] = ["maker", "other"].map(|work| Arc::new(Task::new(work, &places)));
        let shelf: Shelf<u8, u8> = Shelf::new(10);
        let (begun, begins) = mpsc::channel();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let made = shelf.get::<()>(&1, &maker, || {
                    begun.send(()).unwrap();
                    // Given up by whoever asked, but not before somebody else waits.
                    while !maker.is_wanted() {
                        std::thread::sleep(Duration::from_millis(1));
                    }
                    maker.stop();
                    maker.check();
                    Ok((Arc::new(7), 1))
                });
                assert_eq!(made, Ok(Arc::new(7)));
            });
            begins.recv().unwrap();
            assert_eq!(shelf.get::<()>(&1, &other, || unreachable!("it is made once")), Ok(Arc::new(7)));
        });
        assert!(maker.is_stopped());
    }
}
