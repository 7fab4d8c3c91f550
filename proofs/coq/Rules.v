(** * The rules of ultimate tic-tac-toe, as in §1 of the paper

    This file says what game the theorems are about; with [forces] of [Game.v] it is all that a reader has to compare
    with the paper. Nothing here is made to be fast.

    Plan: players, grids of nine, positions, who may play where, what a play does, the beginning; at the end the number
    of games of one to four plies, which is easily counted by other programs. *)

From Coq Require Import List Bool Arith NArith.
Import ListNotations.

(** ** Players

    Xavier moves first and marks with X, Olivia with O (§1, the turn). *)

Inductive player := Xavier | Olivia.

Definition other (who : player) : player := match who with Xavier => Olivia | Olivia => Xavier end.

Definition is_same (one two : player) : bool :=
  match one, two with Xavier, Xavier | Olivia, Olivia => true | _, _ => false end.

(** ** Grids of nine squares, numbered 0 to 8 row by row (figure 1)

    A field is such a grid: a square is a spot, and [Some Xavier] is his mark there. So is the board as a whole: there
    a square is a field, and [Some Xavier] says that he has won it. *)

Definition grid := list (option player).

Definition nine : list nat := [0; 1; 2; 3; 4; 5; 6; 7; 8].

Definition empty_grid : grid := [None; None; None; None; None; None; None; None; None].

(** Rows, columns, diagonals. *)
Definition lines : list (list nat) :=
  [[0; 1; 2]; [3; 4; 5]; [6; 7; 8];  [0; 3; 6]; [1; 4; 7]; [2; 5; 8];  [0; 4; 8]; [2; 4; 6]].

Definition has (who : player) (g : grid) (i : nat) : bool :=
  match nth i g None with Some owner => is_same who owner | None => false end.

Definition is_free (g : grid) (i : nat) : bool :=
  match nth i g None with Some _ => false | None => true end.

(** Three squares of one player in a line. *)
Definition aligned (who : player) (g : grid) : bool := existsb (forallb (has who g)) lines.

Definition is_full (g : grid) : bool := negb (existsb (is_free g) nine).

(** The list [l] with [a] in place of what stands at number [i]. *)
Fixpoint put {A : Type} (i : nat) (a : A) (l : list A) : list A :=
  match l, i with
  | [], _ => []
  | _ :: rest, 0 => a :: rest
  | first :: rest, S i => first :: put i a rest
  end.

(** ** Positions

    The nine fields with their marks; who has won which field; the active field, [None] where the player chooses freely;
    and whose turn it is. *)

Record position := Position {
  fields : list grid;
  owners : grid;
  active : option nat;
  turn : player
}.

(** [(i, j)] is spot j of field i (figure 1). *)
Definition spot : Type := nat * nat.

Definition field (p : position) (f : nat) : grid := nth f (fields p) empty_grid.

(** Three fields of one player in a line win the game (§1, winning). *)
Definition has_won (who : player) (p : position) : bool := aligned who (owners p).

(** ** Who may play where

    A free spot takes a mark: in the active field, or in any field where the choice is free (§1, the turn, and the rules
    of the active field). A field that is won takes marks like any other, as winning changes nothing but its owner. Once
    somebody has won the game, it is over. *)

Definition allowed_fields (p : position) : list nat :=
  match active p with Some f => [f] | None => nine end.

Definition free_spots (p : position) (f : nat) : list spot := map (fun s => (f, s)) (filter (is_free (field p f)) nine).

Definition legal_moves (p : position) : list spot :=
  if has_won Xavier p || has_won Olivia p then [] else flat_map (free_spots p) (allowed_fields p).

(** The game is over when it is won, or when nothing is left to play: the board is full, and nobody has won (§1,
    winning, last sentence). *)
Definition is_over (p : position) : bool := match legal_moves p with [] => true | _ => false end.

(** ** What a play does

    Whoever has the turn marks spot [s] of field [f].
    - Three marks of that player in a line win the field, unless somebody has won it before: that is for good (§1,
      winning).
    - Field [s] is the next active field, if it has a free spot left; if it has none, the next player chooses freely (§1,
      rules of the active field). *)

Definition owners_after (p : position) (f : nat) (marked : grid) : grid :=
  if is_free (owners p) f && aligned (turn p) marked then put f (Some (turn p)) (owners p) else owners p.

Definition play (p : position) (m : spot) : position :=
  let '(f, s) := m in
  let marked := put s (Some (turn p)) (field p f) in
  let fields_after := put f marked (fields p) in
  {| fields := fields_after;
     owners := owners_after p f marked;
     active := if is_full (nth s fields_after empty_grid) then None else Some s;
     turn := other (turn p) |}.

(** ** The beginning

    The board is empty, it is Xavier's turn, and he chooses freely (§1, rules of the active field, last sentence). *)

Definition start : position :=
  {| fields := [empty_grid; empty_grid; empty_grid; empty_grid; empty_grid; empty_grid; empty_grid; empty_grid; empty_grid];
     owners := empty_grid;
     active := None;
     turn := Xavier |}.

(** ** Counting

    A move is called a ply when its number is meant. Every ply leaves one mark, so that the marks on the board count the
    plies from the beginning. *)

Definition marks (g : grid) : nat := length (filter (fun s => negb (is_free g s)) nine).

Definition ply (p : position) : nat := list_sum (map (fun f => marks (field p f)) nine).

(** The number of sequences of [n] legal plies from [p]. *)
Fixpoint perft (n : nat) (p : position) : N :=
  match n with
  | 0 => 1
  | S n => fold_right N.add 0%N (map (fun m => perft n (play p m)) (legal_moves p))
  end.

Example perft_1_to_4 : map (fun n => perft n start) [1; 2; 3; 4] = [81; 720; 6336; 55080]%N.
Proof. vm_compute. reflexivity. Qed.
