(** * Rules of one board, as rules of cells

    The players mark free spots in turn. Spots have numbers, from 0 on. There is one kind of marks if marks are shared, and
    otherwise one for each player. A kind is a function: [on s] says that such a mark is on spot [s]. Kind [i], counted from
    0, is in the cells from [i * spots] on; [spots] is how many spots there are. *)

From Coq Require Import List ZArith.
Import ListNotations.
From General Require Import Game.

Definition kind : Set := nat -> formula.

Definition is_free (kinds : list kind) (s : nat) : formula := Not (Or (map (fun on => on s) kinds)).
Definition number_of_marks (kinds : list kind) (spots : nat) : term := Count (flat_map (fun on => map on (seq 0 spots)) kinds).

(** A line: spots to hold, and spots not to hold. *)
Definition line : Set := list nat * list nat.
Definition has_line (on : kind) (lines : list line) : formula :=
  Or (map (fun l => And (map on (fst l) ++ map (fun s => Not (on s)) (snd l))) lines).
(** There would be a line if a mark were on spot [t], too. *)
Definition makes_line (on : kind) (lines : list line) (t : nat) : formula :=
  has_line (fun s => if Nat.eqb s t then Const true else on s) lines.

(** Move [s] is a mark on spot [s]. It needs that the spot is free, and what [allowed] says of the spot. *)
Definition board_rules (kinds : list kind) (spots : nat) (allowed : list formula) (outcomes : list (formula * verdict)) : rules :=
  let mark cell s := Some (Action (And [is_free kinds s; nth s allowed (Const false)]) [(cell, Num 1)] None) in
  Rules (repeat (0, 1)%Z (length kinds * spots))
    (map (fun s => Move (mark s s) (mark ((length kinds - 1) * spots + s) s)) (seq 0 spots)) outcomes.
