(** * Xavier's strategy (§2), and the properties P1 to P6 (§3)

    Plan: words of §2; the three phases, one definition each, clause by clause; the strategy; the properties.

    The text treats last field 0, with 8 opposite and 1, 2, 3, 5, 6, 7 between, and leaves the seven other last fields to
    the reader. Here the last field is [f]: its opposite [8 - f] lies beyond the middle, and the six fields [between] are
    all but these two and field 4. *)

From Coq Require Import List Bool Arith.
Import ListNotations.
From U3T Require Import Rules.

(** ** Words *)

(** The field where the player to move has to play; 9, which is no field, where the choice is free. *)
Definition sent_to (p : position) : nat := match active p with Some f => f | None => 9 end.

Definition has_x (p : position) (f s : nat) : bool := has Xavier (field p f) s.
Definition has_o (p : position) (f s : nat) : bool := has Olivia (field p f) s.

(** §2.2, beginning: when field 4 is full, the one field whose centre Xavier has not taken. *)
Definition last_field (p : position) : nat :=
  match find (fun f => negb (has_x p f 4)) nine with Some f => f | None => 9 end.

Definition opposite (f : nat) : nat := 8 - f.

(** The set A of §3, and the spots k of §2.2, 1(a). *)
Definition is_between (f i : nat) : bool := (i <? 9) && negb (i =? f) && negb (i =? 4) && negb (i =? opposite f).
Definition between (f : nat) : list nat := filter (is_between f) nine.

(** ** §2.1, the opening: until field 4 is full *)

Definition is_opening (p : position) : bool := negb (is_full (field p 4)).

Definition opening (p : position) : spot :=
  if ply p =? 0 then (4, 4)                                        (* step 1 *)
  else (sent_to p, 4).                                             (* step 2 *)

(** ** §2.2, the middlegame: until Xavier has spot 8 of field 8, or what stands for it *)

Definition is_middlegame (f : nat) (p : position) : bool := negb (has_x p (opposite f) (opposite f)).

Definition middlegame (f : nat) (p : position) : spot :=
  if is_free (field p f) f then (f, f)                             (* step 1 *)
  else if is_between f (sent_to p) then (sent_to p, f)             (* step 1(a) *)
  else if is_free (field p (opposite f)) f then (opposite f, f)    (* step 1(b) *)
  else (opposite f, opposite f).                                   (* step 1(b), last sentence *)

(** ** §2.3, the endgame *)

Definition endgame (f : nat) (p : position) : spot :=
  if is_free (field p (sent_to p)) f then (sent_to p, f) else (sent_to p, opposite f).

(** ** The strategy *)

Definition xavier (p : position) : spot :=
  if is_opening p then opening p
  else let f := last_field p in if is_middlegame f p then middlegame f p else endgame f p.

(** ** P1 to P6, of a position of the endgame where Olivia is to move; [f] stands for 0 and [opposite f] for 8 *)

Definition implies (a b : bool) : bool := if a then b else true.
Definition of_all (l : list nat) (test : nat -> bool) : bool := forallb test l.
Definition number_of (l : list nat) (test : nat -> bool) : nat := length (filter test l).

Definition P1 (f : nat) (p : position) : bool := of_all (between f) (fun i =>
  implies (has_x p i f && has_x p i (opposite f)) (has_o p f i && has_o p (opposite f) i)).

Definition P2 (f : nat) (p : position) : bool := of_all (between f) (fun i =>
  implies (xorb (has_x p i f) (has_x p i (opposite f)))
    (has_x p i f && xorb (has_o p f i) (has_o p (opposite f) i) && implies (has_o p (opposite f) i) (sent_to p =? f))).

Definition P3 (f : nat) (p : position) : bool := of_all (between f) (fun i =>
  implies (negb (has_x p i f) && negb (has_x p i (opposite f))) (negb (has_o p f i) && negb (has_o p (opposite f) i))).

(** She plays in field 0 or 8, which is not full. *)
Definition P4 (f : nat) (p : position) : bool :=
  ((sent_to p =? f) || (sent_to p =? opposite f)) && negb (is_full (field p (sent_to p))).

(** Field i verifies P5: spot i is hers in field 8 and not in field 0. *)
Definition verifies_P5 (f : nat) (p : position) (i : nat) : bool := has_o p (opposite f) i && negb (has_o p f i).

(** She plays in field 0 if and only if exactly one field verifies P5; in field 8 if and only if none does. *)
Definition P5 (f : nat) (p : position) : bool :=
  let number := number_of (between f) (verifies_P5 f p) in
  eqb (sent_to p =? f) (number =? 1) && eqb (sent_to p =? opposite f) (number =? 0).

(** She has marks in fields 0, 4 and 8 only; he has none on the spots i of fields 0 and 8. *)
Definition P6 (f : nat) (p : position) : bool := of_all (between f) (fun i =>
  of_all nine (fun s => negb (has_o p i s)) && negb (has_x p f i) && negb (has_x p (opposite f) i)).

Definition P1_to_P6 (p : position) : bool :=
  let f := last_field p in P1 f p && P2 f p && P3 f p && P4 f p && P5 f p && P6 f p.

(** A position of the endgame where Olivia is to move. *)
Definition is_endgame_of_hers (p : position) : bool :=
  negb (is_opening p) && negb (is_middlegame (last_field p) p) && is_same (turn p) Olivia.
