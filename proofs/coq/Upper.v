(** * The upper bound: the strategy of §2 wins by ply 43 (Lemma 3, Corollary 1)

    Plan: the theorems' statements; a check that follows a strategy ply by ply, against all replies, and keeps each
    position once; its soundness; the theorems, by running it.

    The plays of the strategy meet 63,960 different positions, at most 8,848 of them at one ply. *)

From Coq Require Import List Bool Arith Lia.
Import ListNotations.
From U3T Require Import Rules Game Facts Play Strategy.

(** ** The statements *)

Definition lemma_3_statement : Prop := wins_by 43 xavier.

(** Against some replies he has not won by ply 42, so that it takes him 43. *)
Definition needs_43_statement : Prop := ~ wins_by 42 xavier.

(** The properties hold, at Olivia's turns of the endgame, as long as Xavier has not won; and he does win. *)
Definition corollary_1_statement : Prop :=
  (forall p, reached Xavier xavier p -> is_endgame_of_hers p = true -> has_won Xavier p = true \/ P1_to_P6 p = true) /\
  wins_by 81 xavier.

(** There are such turns, and any field but the middle one can be the last. *)
Definition endgame_is_met_statement : Prop :=
  forall f, In f [0; 1; 2; 3; 5; 6; 7; 8] ->
  exists p, reached Xavier xavier p /\ is_endgame_of_hers p = true /\ has_won Xavier p = false /\ last_field p = f.

(** ** Each position once

    A tree of positions, branching by the squares of the board. Nothing hangs on it but that no position is lost. *)

Inductive tree := Empty | Node (here : list position) (free xs os : tree).

Definition position_eq_dec : forall p q : position, {p = q} + {p <> q}.
Proof. repeat decide equality. Defined.

Definition add_once (p : position) (l : list position) : list position :=
  if in_dec position_eq_dec p l then l else p :: l.

Fixpoint insert (squares : grid) (p : position) (t : tree) : tree :=
  match squares, t with
  | [], Empty => Node [p] Empty Empty Empty
  | [], Node here a b c => Node (add_once p here) a b c
  | None :: rest, Empty => Node [] (insert rest p Empty) Empty Empty
  | Some Xavier :: rest, Empty => Node [] Empty (insert rest p Empty) Empty
  | Some Olivia :: rest, Empty => Node [] Empty Empty (insert rest p Empty)
  | None :: rest, Node here a b c => Node here (insert rest p a) b c
  | Some Xavier :: rest, Node here a b c => Node here a (insert rest p b) c
  | Some Olivia :: rest, Node here a b c => Node here a b (insert rest p c)
  end.

Fixpoint positions (t : tree) : list position :=
  match t with Empty => [] | Node here a b c => here ++ positions a ++ positions b ++ positions c end.

Definition distinct (l : list position) : list position :=
  positions (fold_right (fun p => insert (concat (fields p)) p) Empty l).

Lemma in_insert : forall squares p q t, q = p \/ In q (positions t) -> In q (positions (insert squares p t)).
Proof.
  induction squares as [|[[]|] rest IH]; intros p q [|here a b c] H; simpl in *;
    rewrite ?app_nil_r, ?in_app_iff in *; try (apply IH; simpl; tauto); try (specialize (IH p q)); intuition.
  - unfold add_once. destruct (in_dec _ _ _); subst; simpl; tauto.
  - unfold add_once. destruct (in_dec _ _ _); simpl; tauto.
Qed.

Lemma in_distinct : forall l p, In p l -> In p (distinct l).
Proof.
  induction l as [|q l IH]; intros p I; [easy|]. apply in_insert. destruct I as [->|I]; [now left|right; now apply IH].
Qed.

(** ** The check *)

Definition spot_eq_dec : forall m k : spot, {m = k} + {m <> k}.
Proof. repeat decide equality. Defined.

Section Check.

Variable s : strategy.
Variable keeps : position -> bool.

(** The strategy names a legal move, or she has one, and the position is as it should be. *)
Definition goes_on (p : position) : bool :=
  match turn p with
  | Xavier => if in_dec spot_eq_dec (s p) (legal_moves p) then keeps p else false
  | Olivia => negb (is_over p) && keeps p
  end.

Definition after (p : position) : list position :=
  if has_won Xavier p then []
  else match turn p with Xavier => [play p (s p)] | Olivia => map (play p) (legal_moves p) end.

Fixpoint check (n : nat) (level : list position) : bool :=
  match n with
  | 0 => forallb (has_won Xavier) level
  | S n =>
      if forallb (fun p => if has_won Xavier p then true else goes_on p) level
      then check n (distinct (flat_map after level)) else false
  end.

(** Every position that comes up is in a level that has been checked. *)
Lemma check_meets : forall n p, check n [start] = true -> reached Xavier s p ->
  exists k level, check k level = true /\ In p level /\ ply p + k = n.
Proof.
  intros n p C R. induction R as [|p m R (k & level & Ck & In_ & E) I Named]; [exists n, [start]; simpl; auto|].
  pose proof (not_won_where_moves p m Xavier I) as Not. destruct k as [|k]; simpl in Ck.
  - rewrite forallb_forall in Ck. rewrite (Ck p In_) in Not. easy.
  - destruct (forallb _ _) in Ck; [|easy]. exists k, (distinct (flat_map after level)). split; [exact Ck|]. split.
    + apply in_distinct, in_flat_map. exists p. split; [exact In_|]. unfold after. rewrite Not.
      destruct (turn p); [left; now rewrite Named | now apply in_map].
    + rewrite (reached_ply _ _ _ _ R I). lia.
Qed.

Lemma check_sound : forall n, check n [start] = true -> forall p, reached Xavier s p ->
  ply p <= n /\ (has_won Xavier p = true \/ goes_on p = true).
Proof.
  intros n C p R. destruct (check_meets n p C R) as (k & level & Ck & I & E). split; [lia|].
  destruct k as [|k]; simpl in Ck.
  - rewrite forallb_forall in Ck. left. now apply Ck.
  - destruct (forallb _ _) eqn:All in Ck; [|easy]. rewrite forallb_forall in All. specialize (All p I).
    simpl in All. destruct (has_won Xavier p); [now left | now right].
Qed.

Theorem check_wins : forall n, check n [start] = true -> wins_by n s.
Proof.
  intros n C. split.
  - intros p R T some. destruct (check_sound n C p R) as [_ [Won|G]]; [now rewrite (no_moves_once_won _ _ Won) in some|].
    unfold goes_on in G. rewrite T in G. destruct (in_dec _ _ _) in G; easy.
  - intros p R. destruct (check_sound n C p R) as [L [Won|G]]; split; auto. intro none. exfalso.
    unfold goes_on, is_over in G. rewrite none in G. destruct (turn p); easy.
Qed.

Theorem check_keeps : forall n, check n [start] = true -> forall p, reached Xavier s p ->
  has_won Xavier p = true \/ keeps p = true.
Proof.
  intros n C p R. destruct (check_sound n C p R) as [_ [Won|G]]; [now left|right].
  unfold goes_on in G. destruct (turn p).
  - destruct (in_dec _ _ _) in G; easy.
  - now apply andb_true_iff in G.
Qed.

(** ** One play of the strategy, by the list of her replies *)

Fixpoint follow (replies : list spot) (p : position) : option position :=
  if in_dec spot_eq_dec (s p) (legal_moves p) then
    let q := play p (s p) in
    match replies with
    | [] => Some q
    | m :: rest => if in_dec spot_eq_dec m (legal_moves q) then follow rest (play q m) else None
    end
  else None.

Lemma follow_reached : forall replies p q,
  reached Xavier s p -> turn p = Xavier -> follow replies p = Some q -> reached Xavier s q.
Proof.
  induction replies as [|m rest IH]; intros p q R T F; simpl in F; destruct (in_dec _ _ _) as [I|_] in F; try easy.
  all: pose proof (by_a_move _ _ _ _ R I (fun _ => eq_refl)) as R'.
  - now injection F as <-.
  - assert (T' : turn (play p (s p)) = Olivia) by (destruct (s p); simpl; now rewrite T).
    destruct (in_dec _ _ _) as [I'|_] in F; [|easy]. apply IH in F; [exact F| |].
    + apply by_a_move; [exact R' | exact I' | now rewrite T'].
    + destruct m; simpl in *. now rewrite T'.
Qed.

End Check.

(** ** The theorems *)

Lemma checked : check xavier (fun p => implies (is_endgame_of_hers p) (P1_to_P6 p)) 43 [start] = true.
Proof. vm_cast_no_check (eq_refl true). Qed.

Theorem lemma_3 : lemma_3_statement.
Proof. exact (check_wins _ _ 43 checked). Qed.

Theorem corollary_1 : corollary_1_statement.
Proof.
  split.
  - intros p R Hers. destruct (check_keeps _ _ 43 checked p R) as [Won|Keeps]; [now left|right].
    now rewrite Hers in Keeps.
  - apply wins_by_monotone with 43; [repeat constructor | exact lemma_3].
Qed.

Theorem at_most_43 : at_most_43_statement.
Proof. exact (wins_by_forces 43 xavier lemma_3). Qed.

(** §4.1, proof of Lemma 3: she keeps spot 8 of field 0 for last, plays in field 8 all spots but 5 and 7, and then 5. *)
Definition slowest_replies : list spot :=
  [(4, 1); (4, 2); (4, 3); (4, 5); (4, 6); (4, 7); (4, 8); (4, 0);
   (0, 1); (0, 2); (0, 3); (0, 4); (0, 5); (0, 6); (0, 7); (0, 8);
   (8, 1); (8, 2); (8, 3); (8, 6); (8, 5)].

(** After the last of these replies comes Xavier's 22nd play, which is ply 43. *)
Theorem needs_43 : needs_43_statement.
Proof.
  intros [_ Wins]. destruct (follow xavier slowest_replies start) as [p|] eqn:F; [|vm_compute in F; easy].
  destruct (Wins p (follow_reached _ _ _ _ (at_the_start _ _) eq_refl F)) as [L _].
  vm_compute in F. injection F as <-. vm_compute in L. lia.
Qed.

(** She leaves field [f] for last, and ends the middlegame as early as she can, by spots 4 and [opposite f] of it. *)
Definition short_replies (f : nat) : list spot :=
  map (pair 4) (filter (is_between f) nine ++ [opposite f; f]) ++ [(f, 4); (f, opposite f)].

Theorem endgame_is_met : endgame_is_met_statement.
Proof.
  intros f I. destruct (follow xavier (short_replies f) start) as [p|] eqn:F.
  - exists p. split; [exact (follow_reached _ _ _ _ (at_the_start _ _) eq_refl F)|].
    simpl in I. repeat (destruct I as [<-|I]; [vm_compute in F; injection F as <-; repeat split|]). easy.
  - exfalso. simpl in I. repeat (destruct I as [<-|I]; [vm_compute in F; easy|]). easy.
Qed.
