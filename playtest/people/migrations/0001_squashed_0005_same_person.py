import django.contrib.auth.models
import django.contrib.auth.validators
import django.db.models.deletion
import django.db.models.functions.text
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

from playtest.serve.create_models import CreateModels


class Migration(migrations.Migration):
    replaces = [
        ("people", "0001_initial"),
        ("people", "0002_withdrawal"),
        ("people", "0003_withdrawn_attempts"),
        ("people", "0004_contact"),
        ("people", "0005_same_person"),
    ]

    initial = True

    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
    ]

    operations = [
        CreateModels(
            [
                migrations.CreateModel(
                    name="Staff",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("password", models.CharField(max_length=128, verbose_name="password")),
                        (
                            "last_login",
                            models.DateTimeField(blank=True, null=True, verbose_name="last login"),
                        ),
                        (
                            "is_superuser",
                            models.BooleanField(
                                default=False,
                                help_text="Designates that this user has all permissions without explicitly assigning them.",
                                verbose_name="superuser status",
                            ),
                        ),
                        (
                            "username",
                            models.CharField(
                                error_messages={"unique": "A user with that username already exists."},
                                help_text="Required. 150 characters or fewer. Letters, digits and @/./+/-/_ only.",
                                max_length=150,
                                unique=True,
                                validators=[django.contrib.auth.validators.UnicodeUsernameValidator()],
                                verbose_name="username",
                            ),
                        ),
                        (
                            "first_name",
                            models.CharField(blank=True, max_length=150, verbose_name="first name"),
                        ),
                        ("last_name", models.CharField(blank=True, max_length=150, verbose_name="last name")),
                        (
                            "email",
                            models.EmailField(blank=True, max_length=254, verbose_name="email address"),
                        ),
                        (
                            "is_staff",
                            models.BooleanField(
                                default=False,
                                help_text="Designates whether the user can log into this admin site.",
                                verbose_name="staff status",
                            ),
                        ),
                        (
                            "is_active",
                            models.BooleanField(
                                default=True,
                                help_text="Designates whether this user should be treated as active. Unselect this instead of deleting accounts.",
                                verbose_name="active",
                            ),
                        ),
                        (
                            "date_joined",
                            models.DateTimeField(
                                default=django.utils.timezone.now, verbose_name="date joined"
                            ),
                        ),
                        (
                            "role",
                            models.CharField(
                                choices=[
                                    ("lead", "Lead"),
                                    ("proctor", "Proctor"),
                                    ("researcher", "Researcher"),
                                    ("designer", "Designer"),
                                    ("engineer", "Engineer"),
                                ],
                                max_length=16,
                            ),
                        ),
                        (
                            "groups",
                            models.ManyToManyField(
                                blank=True,
                                help_text="The groups this user belongs to. A user will get all permissions granted to each of their groups.",
                                related_name="user_set",
                                related_query_name="user",
                                to="auth.group",
                                verbose_name="groups",
                            ),
                        ),
                        (
                            "user_permissions",
                            models.ManyToManyField(
                                blank=True,
                                help_text="Specific permissions for this user.",
                                related_name="user_set",
                                related_query_name="user",
                                to="auth.permission",
                                verbose_name="user permissions",
                            ),
                        ),
                    ],
                    options={
                        "verbose_name": "user",
                        "verbose_name_plural": "users",
                        "abstract": False,
                    },
                    managers=[
                        ("objects", django.contrib.auth.models.UserManager()),
                    ],
                ),
                migrations.CreateModel(
                    name="Participant",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("label", models.CharField(max_length=16, unique=True)),
                        ("reference", models.CharField(blank=True, max_length=64)),
                        ("simulated", models.BooleanField(default=False)),
                        ("created_at", models.DateTimeField()),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(
                                condition=models.Q(("reference", ""), _negated=True),
                                fields=("reference",),
                                name="participant_reference_is_unique",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Consent",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("text", models.TextField()),
                        ("given_at", models.DateTimeField()),
                        (
                            "participant",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="consents",
                                to="people.participant",
                            ),
                        ),
                    ],
                ),
                migrations.CreateModel(
                    name="SamePerson",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("linked_at", models.DateTimeField()),
                        ("reason", models.TextField()),
                        (
                            "one",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="people.participant",
                            ),
                        ),
                        (
                            "other",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="people.participant",
                            ),
                        ),
                        (
                            "staff",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("one", models.F("other")), _negated=True),
                                name="same_person_links_two_records",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="SamePersonReversal",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("reversed_at", models.DateTimeField()),
                        ("reason", models.TextField()),
                        (
                            "link",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="reversal",
                                to="people.sameperson",
                            ),
                        ),
                        (
                            "staff",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                    ],
                ),
                migrations.CreateModel(
                    name="Survey",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("answers", models.JSONField(default=dict)),
                        ("answered_at", models.DateTimeField()),
                        (
                            "participant",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="surveys",
                                to="people.participant",
                            ),
                        ),
                    ],
                ),
                migrations.CreateModel(
                    name="Withdrawal",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("started_at", models.DateTimeField()),
                        ("finished_at", models.DateTimeField(null=True)),
                        ("removed", models.JSONField(default=dict)),
                        ("attempts", models.JSONField(default=list)),
                        (
                            "participant",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="withdrawal",
                                to="people.participant",
                            ),
                        ),
                        (
                            "staff",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                    ],
                ),
                migrations.CreateModel(
                    name="Contact",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("email", models.EmailField(max_length=254)),
                        ("stored_at", models.DateTimeField()),
                        (
                            "participant",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="contact",
                                to="people.participant",
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(
                                django.db.models.functions.text.Lower("email"), name="contact_email_is_unique"
                            )
                        ],
                    },
                ),
            ]
        )
    ]
