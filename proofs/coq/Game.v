(** * What the theorems say

    Plan: [forces], the one notion that all theorems are about; the statements; then what follows from the definition of
    [forces] alone. *)

From Coq Require Import List Bool Arith Lia.
Import ListNotations.
From U3T Require Import Rules.

(** ** Forcing a win

    [forces n p]: from [p] on, whatever Olivia does, Xavier can bring about that he has won by ply [n], counted from the
    beginning of the game.
    - [p] is such a position if he has won, with at most [n] marks on the board;
    - if it is his turn, when one of his legal moves leads to such a position;
    - if it is her turn, when all of her legal moves do, and she has one. *)

Inductive forces (n : nat) : position -> Prop :=
| has_won_in_time p :
    has_won Xavier p = true -> ply p <= n -> forces n p
| by_his_move p m :
    turn p = Xavier -> In m (legal_moves p) -> forces n (play p m) -> forces n p
| by_all_her_moves p :
    turn p = Olivia -> legal_moves p <> [] -> (forall m, In m (legal_moves p) -> forces n (play p m)) -> forces n p.

(** ** The statements

    Plies 1, 3, 5, ... are Xavier's. The value of the game is 43: he can force a win by ply 43, and by no earlier one. *)

Definition value_43_statement : Prop := forall n, forces n start <-> 43 <= n.

(** The title and Lemma 3 (§4.1), "at most 43". *)
Definition at_most_43_statement : Prop := forces 43 start.

(** The title and Lemma 4 (§4.2), "at least 29". *)
Definition at_least_29_statement : Prop := forall n, forces n start -> 29 <= n.

(** What is left between the two: no win by ply 41, nor, as ply 42 is Olivia's, by ply 42. *)
Definition no_win_by_41_statement : Prop := ~ forces 41 start.
Definition no_win_by_42_statement : Prop := ~ forces 42 start.

(** The last promise of the abstract (Lemmas 6 and 7, §4.3), for ply [n]: no first move of his forces a win in time but
    the doubles (i, i); and after (i, i) and her (i, j) no second move of his does but (j, i). *)
Definition first_two_moves_by (n : nat) : Prop :=
  (forall m, In m (legal_moves start) -> forces n (play start m) -> exists i, m = (i, i)) /\
  forall i j m, i < 9 -> j < 9 -> i <> j ->
    let p := play (play start (i, i)) (i, j) in
    In m (legal_moves p) -> forces n (play p m) -> m = (j, i).

Definition first_two_moves_statement : Prop := first_two_moves_by 46.

(** ** What follows from the definition alone *)

Lemma forces_monotone : forall n k p, n <= k -> forces n p -> forces k p.
Proof.
  intros n k p le F. induction F as [p W L | p m T I _ IH | p T N _ IH].
  - apply has_won_in_time; [exact W | lia].
  - exact (by_his_move k p m T I IH).
  - exact (by_all_her_moves k p T N IH).
Qed.
