(** Random games by [Rules.v], each summed up in one number, for the test that plays the same games by the kernel.

    The number starts as the game's seed, takes in the whole of each position, and picks the moves. Where the two sets of
    rules differ, the numbers part and stay apart. *)

From Coq Require Import List Uint63.
Import ListNotations.
From U3T Require Import Rules Strategy.

Fixpoint number (n : nat) : int := match n with 0 => 0 | S n => 1 + number n end.

Definition absorb (h value : int) : int := h * 3202034522624059733 + value + 1.

Definition of_square (g : grid) (i : nat) : int :=
  match nth i g None with None => 0 | Some Xavier => 1 | Some Olivia => 2 end.

Definition of_bool (b : bool) : int := if b then 1 else 0.

Definition absorb_all (h : int) (values : list int) : int := fold_left absorb values h.

Definition absorb_position (h : int) (p : position) : int :=
  let h := fold_left (fun h f => absorb_all h (map (of_square (field p f)) nine)) nine h in
  let h := absorb_all h (map (of_square (owners p)) nine) in
  let h := absorb h (match active p with Some f => number f | None => 9 end) in
  let h := absorb h (match turn p with Xavier => 0 | Olivia => 1 end) in
  let h := absorb h (number (ply p)) in
  let h := absorb_all h (map of_bool [has_won Xavier p; has_won Olivia p; is_over p]) in
  let h := fold_left (fun h m => absorb h (9 * number (fst m) + number (snd m))) (legal_moves p) h in
  absorb h 99.

(** The move at the place that the upper bits of the number name. *)
Fixpoint pick (i : int) (l : list spot) (else_ : spot) : spot :=
  match l with [] => else_ | m :: rest => if i =? 0 then m else pick (i - 1) rest m end%uint63.

Definition random_move (h : int) (p : position) : spot :=
  let moves := legal_moves p in pick ((h >> 31) mod number (length moves))%uint63 moves (9, 9).

Fixpoint game (xavier : int -> position -> spot) (fuel : nat) (p : position) (h : int) : int :=
  let h := absorb_position h p in
  match fuel with
  | 0 => h
  | S fuel =>
      if is_over p then h
      else game xavier fuel (play p (match turn p with Xavier => xavier h p | Olivia => random_move h p end)) h
  end.

Fixpoint seeds (n : nat) (from : int) : list int := match n with 0 => [] | S n => from :: seeds n (from + 1)%uint63 end.

(** Both players at random. *)
Definition random_games : list int := map (game random_move 81 start) (seeds 1000 0).

(** Xavier by the strategy of §2. *)
Definition games_of_strategy : list int := map (game (fun _ => xavier) 81 start) (seeds 200 0).

Set Printing Depth 100000.
Eval vm_compute in random_games.
Eval vm_compute in games_of_strategy.
