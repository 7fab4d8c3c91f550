(** * What follows from the rules

    Plan: replacing one element of a list; which moves are legal; what a play changes, and that it keeps a position
    [well_formed]; each play adds one mark, so that no game is longer than 81 plies; owners never change; a game that
    goes on has a legal move; and, as ply 42 is Olivia's, whoever can force a win by ply 42 can force it by ply 41. *)

From Coq Require Import List Bool Arith Lia.
Import ListNotations.
From U3T Require Import Rules Game.

(** ** Lists *)

Lemma nth_put_same {A} : forall (l : list A) i a d, i < length l -> nth i (put i a l) d = a.
Proof. induction l as [|h l IH]; intros [|i] a d L; simpl in *; try lia; auto with arith. Qed.

Lemma nth_put_other {A} : forall (l : list A) i j a d, i <> j -> nth j (put i a l) d = nth j l d.
Proof. induction l as [|h l IH]; intros [|i] [|j] a d N; simpl; auto; congruence. Qed.

Lemma length_put {A} : forall (l : list A) i a, length (put i a l) = length l.
Proof. induction l as [|h l IH]; intros [|i] a; simpl; auto. Qed.

Lemma Forall_put {A} (P : A -> Prop) : forall l i a, Forall P l -> P a -> Forall P (put i a l).
Proof.
  induction l as [|h l IH]; intros i a Hl Ha; [destruct i; constructor|].
  inversion Hl; destruct i; simpl; constructor; auto.
Qed.

Lemma in_nine : forall i, In i nine <-> i < 9.
Proof.
  intro i; split; intro H; [simpl in H; lia|].
  do 9 (destruct i as [|i]; [simpl; tauto|]); lia.
Qed.

Lemma NoDup_nine : NoDup nine.
Proof. repeat constructor; simpl; lia. Qed.

(** Of two ways to count over [l], the second counts one more at [i] and the same elsewhere. *)
Lemma sum_one_more : forall (count more : nat -> nat) l i,
  NoDup l -> In i l -> more i = S (count i) -> (forall j, j <> i -> more j = count j) ->
  list_sum (map more l) = S (list_sum (map count l)).
Proof.
  intros count more l i D I One Same. induction l as [|h l IH]; [easy|].
  inversion D as [|? ? out D']; subst. simpl. destruct (Nat.eq_dec h i) as [->|N].
  - rewrite One. rewrite (map_ext_in more count l); [lia|].
    intros j Hj. apply Same. congruence.
  - destruct I as [E|I]; [congruence|]. rewrite (IH D' I), (Same h N). lia.
Qed.

Lemma length_filter_as_sum {A} : forall (f : A -> bool) l,
  length (filter f l) = list_sum (map (fun a => if f a then 1 else 0) l).
Proof. induction l as [|h l IH]; simpl; [easy|]. destruct (f h); simpl; rewrite IH; easy. Qed.

(** ** Legal moves are the free spots of the active field, or of all fields where the choice is free *)

Theorem legal_moves_are : forall p f s,
  In (f, s) (legal_moves p) <->
  has_won Xavier p = false /\ has_won Olivia p = false /\
  (active p = Some f \/ active p = None /\ f < 9) /\ s < 9 /\ is_free (field p f) s = true.
Proof.
  intros p f s. unfold legal_moves.
  destruct (has_won Xavier p), (has_won Olivia p); simpl; try (intuition congruence).
  rewrite in_flat_map. unfold allowed_fields, free_spots.
  assert (I : forall g, In (f, s) (map (fun s => (g, s)) (filter (is_free (field p g)) nine)) <->
                        g = f /\ s < 9 /\ is_free (field p f) s = true).
  { intro g. rewrite in_map_iff. split.
    - intros (t & E & H). injection E as -> ->. apply filter_In in H as [H1 H2]. rewrite in_nine in H1. auto.
    - intros (-> & H1 & H2). exists s. rewrite filter_In, in_nine. auto. }
  destruct (active p) as [a|]; split.
  - intros (g & [<-|[]] & H). apply I in H as (-> & H). tauto.
  - intros (_ & _ & [E|[E _]] & H); [injection E as ->|easy]. exists f. rewrite I. simpl. tauto.
  - intros (g & G & H). apply I in H as (-> & H). rewrite in_nine in G. tauto.
  - intros (_ & _ & [E|[_ F]] & H); [easy|]. exists f. rewrite I, in_nine. tauto.
Qed.

Lemma no_moves_once_won : forall p who, has_won who p = true -> legal_moves p = [].
Proof. intros p [] W; unfold legal_moves; rewrite W; simpl; [|rewrite orb_true_r]; easy. Qed.

Lemma not_won_where_moves : forall p m who, In m (legal_moves p) -> has_won who p = false.
Proof. intros p [f s] [] I; apply legal_moves_are in I; tauto. Qed.

(** ** What holds of every position of a game *)

Record well_formed (p : position) : Prop := {
  nine_fields : length (fields p) = 9;
  nine_spots : forall f, length (field p f) = 9;
  nine_owners : length (owners p) = 9;
  active_has_room : forall f, active p = Some f -> f < 9 /\ is_full (field p f) = false;
  turns_alternate : turn p = if Nat.even (ply p) then Xavier else Olivia
}.

Lemma start_well_formed : well_formed start.
Proof.
  split; try easy. intro f. unfold field, start; simpl.
  do 9 (destruct f as [|f]; [easy|]). destruct f; easy.
Qed.

Lemma legal_field : forall p f s, well_formed p -> In (f, s) (legal_moves p) -> f < 9.
Proof.
  intros p f s [_ _ _ room _] I. apply legal_moves_are in I as (_ & _ & [A|[_ F]] & _); [|easy]. now apply room.
Qed.

Lemma legal_spot : forall p f s, In (f, s) (legal_moves p) -> s < 9.
Proof. intros p f s I. apply legal_moves_are in I. tauto. Qed.

(** ** A play changes one spot *)

Lemma field_played : forall p f s, well_formed p -> f < 9 -> field (play p (f, s)) f = put s (Some (turn p)) (field p f).
Proof. intros p f s [L _ _ _ _] F. unfold field at 1. apply nth_put_same. now rewrite L. Qed.

Lemma other_fields : forall p f s g, g <> f -> field (play p (f, s)) g = field p g.
Proof. intros p f s g N. apply nth_put_other. congruence. Qed.

(** No mark is ever removed or replaced. *)
Theorem marks_stay : forall p m f s who,
  In m (legal_moves p) -> has who (field p f) s = true -> has who (field (play p m) f) s = true.
Proof.
  intros p [g t] f s who I H. unfold field, play; simpl.
  destruct (Nat.eq_dec g f) as [->|N]; [|now rewrite nth_put_other].
  assert (Free : is_free (field p f) t = true) by (apply legal_moves_are in I; tauto).
  destruct (le_lt_dec (length (fields p)) f) as [Out|In_].
  { rewrite nth_overflow by (now rewrite length_put). unfold field in H. now rewrite nth_overflow in H. }
  rewrite nth_put_same by easy. unfold has in *. rewrite nth_put_other; [exact H|].
  intros ->. unfold is_free in Free. destruct (nth s (field p f) None); easy.
Qed.

(** Nor does a field that is won ever change its owner. *)
Theorem owners_stay : forall p m f who, has who (owners p) f = true -> has who (owners (play p m)) f = true.
Proof.
  intros p [g s] f who H. unfold play, owners_after; simpl.
  destruct (is_free (owners p) g) eqn:Free; simpl; [|exact H].
  destruct (aligned _ _); [|exact H].
  unfold has in *. rewrite nth_put_other; [exact H|].
  intros ->. unfold is_free in Free. destruct (nth f (owners p) None); easy.
Qed.

Lemma has_put_of_other : forall who g i j,
  is_free g i = true -> has who (put i (Some (other who)) g) j = has who g j.
Proof.
  intros who g i j Free. unfold has. destruct (Nat.eq_dec i j) as [->|N]; [|now rewrite nth_put_other].
  destruct (le_lt_dec (length g) j) as [Out|In_].
  - rewrite !nth_overflow; rewrite ?length_put; easy.
  - rewrite nth_put_same by easy. unfold is_free in Free. destruct (nth j g None), who; easy.
Qed.

Lemma aligned_same : forall who g h, (forall i, has who g i = has who h i) -> aligned who g = aligned who h.
Proof.
  intros who g h Same. unfold aligned. induction lines as [|l ls IH]; simpl; [easy|]. rewrite IH. f_equal.
  induction l as [|i l IHl]; simpl; [easy|]. now rewrite Same, IHl.
Qed.

(** Olivia's plays do not win for Xavier, nor his for her. *)
Theorem play_wins_for_nobody_else : forall p m, has_won (other (turn p)) (play p m) = has_won (other (turn p)) p.
Proof.
  intros p [f s]. unfold has_won, play, owners_after; simpl.
  destruct (is_free (owners p) f) eqn:Free; simpl; [|easy].
  destruct (aligned (turn p) _); [|easy].
  apply aligned_same. intro i. set (who := other (turn p)).
  replace (turn p) with (other who) by (unfold who; destruct (turn p); easy).
  now apply has_put_of_other.
Qed.

(** ** Each ply leaves one mark *)

Lemma marks_put : forall g s who, s < length g -> s < 9 -> is_free g s = true ->
  marks (put s (Some who) g) = S (marks g).
Proof.
  intros g s who L N Free. unfold marks. rewrite !length_filter_as_sum.
  apply sum_one_more with s; [apply NoDup_nine | now apply in_nine | |].
  - unfold is_free in *. rewrite nth_put_same by easy. destruct (nth s g None); easy.
  - intros j D. unfold is_free. rewrite nth_put_other by congruence. easy.
Qed.

Theorem ply_play : forall p m, well_formed p -> In m (legal_moves p) -> ply (play p m) = S (ply p).
Proof.
  intros p [f s] W I. pose proof (legal_field p f s W I) as F. pose proof (legal_spot p f s I) as S_.
  unfold ply. apply sum_one_more with f; [apply NoDup_nine | now apply in_nine | |].
  - rewrite field_played by easy. apply marks_put; [|easy|].
    + now rewrite (nine_spots p W).
    + apply legal_moves_are in I. tauto.
  - intros g N. now rewrite other_fields.
Qed.

Theorem play_well_formed : forall p m, well_formed p -> In m (legal_moves p) -> well_formed (play p m).
Proof.
  intros p [f s] W I.
  pose proof (ply_play p (f, s) W I) as P. pose proof (legal_field p f s W I) as F. pose proof (legal_spot p f s I) as S_.
  destruct W as [LF LS LO room alt]. split.
  - simpl. now rewrite length_put.
  - intro g. destruct (Nat.eq_dec g f) as [->|N].
    + unfold field, play; simpl. rewrite nth_put_same by (now rewrite LF). rewrite length_put. apply LS.
    + rewrite other_fields by easy. apply LS.
  - simpl. unfold owners_after. destruct (_ && _); rewrite ?length_put; easy.
  - intros a A. unfold play in A; simpl in A.
    destruct (is_full _) eqn:Full; [easy|]. injection A as <-. split; [easy|exact Full].
  - rewrite P, Nat.even_succ, <- Nat.negb_even. simpl. rewrite alt. now destruct (Nat.even (ply p)).
Qed.

Theorem at_most_81_marks : forall p, ply p <= 81.
Proof.
  assert (M : forall g, marks g <= 9).
  { intro g. unfold marks. change 9 with (length nine). generalize nine as l.
    induction l as [|s l IH]; simpl; [easy|]. destruct (negb _); simpl; lia. }
  intro p. unfold ply. simpl.
  pose proof (M (field p 0)). pose proof (M (field p 1)). pose proof (M (field p 2)).
  pose proof (M (field p 3)). pose proof (M (field p 4)). pose proof (M (field p 5)).
  pose proof (M (field p 6)). pose proof (M (field p 7)). pose proof (M (field p 8)). lia.
Qed.

(** ** Positions of a game, and its end *)

Inductive reachable : position -> Prop :=
| start_reachable : reachable start
| play_reachable p m : reachable p -> In m (legal_moves p) -> reachable (play p m).

Theorem reachable_well_formed : forall p, reachable p -> well_formed p.
Proof. intros p R. induction R; [apply start_well_formed | now apply play_well_formed]. Qed.

(** The game goes on until somebody has won or the board is full: nobody is ever left without a move. *)
Theorem over_when_won_or_full : forall p, well_formed p ->
  legal_moves p = [] <->
  has_won Xavier p = true \/ has_won Olivia p = true \/ (forall f s, f < 9 -> s < 9 -> is_free (field p f) s = false).
Proof.
  intros p W. split.
  - intro none. destruct (has_won Xavier p) eqn:X; [tauto|]. destruct (has_won Olivia p) eqn:O; [tauto|].
    right; right. intros f s F S_. destruct (is_free (field p f) s) eqn:Free; [exfalso|easy].
    destruct (active p) as [a|] eqn:A.
    + destruct (active_has_room p W a A) as [_ room]. unfold is_full in room. apply negb_false_iff, existsb_exists in room.
      destruct room as (t & T & Ft). apply in_nine in T.
      assert (I : In (a, t) (legal_moves p)) by (apply legal_moves_are; tauto). now rewrite none in I.
    + assert (I : In (f, s) (legal_moves p)) by (apply legal_moves_are; tauto). now rewrite none in I.
  - intros [X | [O | full]]; [eapply no_moves_once_won; eauto..|].
    destruct (legal_moves p) as [|[f s] l] eqn:L; [easy|].
    assert (I : In (f, s) (legal_moves p)) by (rewrite L; now left).
    pose proof (legal_field p f s W I) as F. apply legal_moves_are in I as (_ & _ & _ & S_ & Free).
    now rewrite full in Free.
Qed.

(** ** Even plies are Olivia's *)

Lemma forces_ply : forall n p, well_formed p -> forces n p -> ply p <= n.
Proof.
  intros n p W F. induction F as [p _ L | p m _ I _ IH | p _ N _ IH]; [exact L| |].
  - specialize (IH (play_well_formed p m W I)). rewrite ply_play in IH by easy. lia.
  - destruct (legal_moves p) as [|m l] eqn:E; [easy|]. assert (I : In m (legal_moves p)) by (rewrite E; now left).
    specialize (IH m (or_introl eq_refl) (play_well_formed p m W I)). rewrite ply_play in IH by easy. lia.
Qed.

Theorem forces_odd : forall n p, well_formed p -> Nat.even n = false ->
  (has_won Xavier p = false \/ ply p <= n) -> forces (S n) p -> forces n p.
Proof.
  intros n p W Odd Late F. induction F as [p Won L | p m T I F IH | p T N F IH].
  - destruct Late as [Not|Le]; [congruence|]. now apply has_won_in_time.
  - pose proof (play_well_formed p m W I) as W'. apply (by_his_move n p m T I), IH; [exact W'|].
    right. pose proof (forces_ply _ _ W' F) as Le. rewrite ply_play in * by easy.
    pose proof (turns_alternate p W) as A. rewrite T in A.
    destruct (Nat.even (ply p)) eqn:E; [|easy]. destruct (Nat.eq_dec (ply p) n); [congruence|lia].
  - apply by_all_her_moves; [easy..|]. intros m I. apply IH; [easy|now apply play_well_formed|].
    left. pose proof (play_wins_for_nobody_else p m) as Same. rewrite T in Same. simpl in Same. rewrite Same.
    eapply not_won_where_moves; eauto.
Qed.

Corollary by_42_then_by_41 : forces 42 start -> forces 41 start.
Proof. apply forces_odd; [apply start_well_formed | easy | now left]. Qed.
